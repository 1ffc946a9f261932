import { afterNextRender, Component, DOCUMENT, inject } from '@angular/core';
import { Meta } from '@angular/platform-browser';
import { RouterLink } from '@angular/router';
import { showNearPages } from './near-pages';

/** The page of the build that answers paths without a page, with status 404. */
@Component({
  selector: 'app-not-found',
  imports: [RouterLink],
  template: `
    <div class="page">
      <article class="text">
        <h1>Page not found</h1>
        <p>This address does not exist. It may have moved, or the link has a mistake.</p>
        <p class="ways">
          <button type="button" class="button open-search">Search</button>
          <a class="button" routerLink="/">Home page</a>
          <a class="button" routerLink="/start">Get started</a>
          <a class="button" href="https://github.com/ng-ssr/ng-ssr/issues">Report a broken link</a>
        </p>
        <div class="near">
          <p>Pages with a similar address:</p>
          <ul data-near></ul>
        </div>
      </article>
    </div>
  `,
})
export class NotFoundPage {
  constructor() {
    const document = inject(DOCUMENT);
    inject(Meta).updateTag({ name: 'description', content: 'This address does not exist.' });
    // Addresses of a page that was shown before are not this page's.
    document.querySelector('link[rel="canonical"]')?.remove();
    // start/ shows them in the document, before the application is there.
    afterNextRender(() => showNearPages(document));
  }
}
