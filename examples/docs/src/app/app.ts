import { Location } from '@angular/common';
import { afterNextRender, Component, computed, DestroyRef, DOCUMENT, inject } from '@angular/core';
import { NavigationEnd, Router, RouterOutlet, Scroll } from '@angular/router';
import { filter, skip } from 'rxjs';
import { Contents } from './layout/contents';
import { Foot } from './layout/foot';
import { Head } from './layout/head';
import { unfold } from './layout/unfold';

/** The frame of every page. */
@Component({
  selector: 'app-root',
  imports: [Contents, Foot, Head, RouterOutlet],
  template: `
    <a class="skip" [href]="path() + '#content'">Skip to the content</a>
    <app-head />
    <div class="frame">
      <nav class="side" aria-label="Documentation"><app-contents /></nav>
      <main id="content" tabindex="-1"><router-outlet /></main>
    </div>
    <app-foot />
  `,
})
export class App {
  readonly #document = inject(DOCUMENT);
  readonly #router = inject(Router);
  readonly #location = inject(Location);
  /** A fragment alone would lead to the home page, which is the base of every page. */
  protected readonly path = computed(() => {
    const url = this.#router.lastSuccessfulNavigation()?.finalUrl;
    // Until the first navigation has ended the address is that of the document.
    const address = url === undefined ? this.#location.path() : this.#router.serializeUrl(url);
    return address.split(/[?#]/, 1)[0]!;
  });

  constructor() {
    const router = this.#router;
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      // The first navigation is the document's own.
      const ends = router.events.pipe(filter((event) => event instanceof NavigationEnd));
      const isInitial = router.lastSuccessfulNavigation() === null;
      const subscription = ends.pipe(skip(isInitial ? 1 : 0)).subscribe(({ url }) => {
        if (!url.includes('#')) this.#focus();
      });
      // The article is there, and the router has scrolled.
      const scrolls = router.events.pipe(filter((event) => event instanceof Scroll));
      subscription.add(
        scrolls.subscribe(({ anchor }) => anchor !== null && unfold(this.#document, anchor)),
      );
      destroyed.onDestroy(() => subscription.unsubscribe());
    });
  }

  /** Readers with a keyboard or a screen reader go on where the new page begins. */
  #focus(): void {
    this.#document.getElementById('content')?.focus({ preventScroll: true });
  }
}
