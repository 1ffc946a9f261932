import { inject, Injectable, makeStateKey, PLATFORM_ID, TransferState } from '@angular/core';
import { isPlatformServer } from '@angular/common';
import type { PageContent } from './page-content';

const SHOWN = makeStateKey<PageContent>('page');

/** Loads pages; of the page that the document shows it takes the article from the document. */
@Injectable({ providedIn: 'root' })
export class PageSource {
  readonly #state = inject(TransferState);
  readonly #isServer = isPlatformServer(inject(PLATFORM_ID));

  load(path: string, load: () => Promise<PageContent>): PageContent | Promise<PageContent> {
    if (this.#isServer) return load().then((page) => this.#leave(page));
    const shown = this.#state.get(SHOWN, undefined);
    this.#state.remove(SHOWN);
    return shown?.path === path ? shown : load();
  }

  /** Leaves all but the article in the document, for the browser to begin with. */
  #leave(page: PageContent): PageContent {
    const articles = ['html', 'parts'];
    const rest = Object.entries(page).filter(([name]) => !articles.includes(name));
    this.#state.set(SHOWN, Object.fromEntries(rest) as unknown as PageContent);
    return page;
  }
}
