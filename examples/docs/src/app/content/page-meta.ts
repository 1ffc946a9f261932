import { DOCUMENT, inject, Injectable } from '@angular/core';
import { Meta } from '@angular/platform-browser';
import { origin } from '../../../generated/origin';

interface Described {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** What search engines and link previews read in the head of a page. */
@Injectable({ providedIn: 'root' })
export class PageMeta {
  readonly #meta = inject(Meta);
  readonly #document = inject(DOCUMENT);

  describe({ path, title, description }: Described): void {
    const url = `${origin}/${path}`;
    this.#meta.updateTag({ name: 'description', content: description });
    this.#meta.updateTag({ property: 'og:site_name', content: 'ng-ssr' });
    this.#meta.updateTag({ property: 'og:type', content: path === '' ? 'website' : 'article' });
    this.#meta.updateTag({ property: 'og:title', content: title });
    this.#meta.updateTag({ property: 'og:description', content: description });
    this.#meta.updateTag({ property: 'og:url', content: url });
    this.#meta.updateTag({ property: 'og:image', content: `${origin}/preview.png` });
    this.#meta.updateTag({ name: 'twitter:card', content: 'summary_large_image' });
    this.#link('canonical', url);
    this.#link('alternate', `/${path === '' ? 'index' : path}.md`, 'text/markdown');
  }

  #link(relation: string, address: string, type?: string): void {
    const { head } = this.#document;
    const present = head.querySelector(`link[rel="${relation}"]`);
    // The server's DOM has undefined where browsers have null.
    const link = present ?? head.appendChild(this.#document.createElement('link'));
    link.setAttribute('rel', relation);
    link.setAttribute('href', address);
    if (type !== undefined) link.setAttribute('type', type);
  }
}
