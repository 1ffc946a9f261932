import { Component, DOCUMENT, inject } from '@angular/core';
import { Meta } from '@angular/platform-browser';
import { RouterLink } from '@angular/router';

/** The page of the build that answers paths without a page, with status 404. */
@Component({
  selector: 'app-not-found',
  imports: [RouterLink],
  template: `
    <div class="page">
      <article class="text">
        <h1>Page not found</h1>
        <p>No page has this address. <a routerLink="/">The home page</a> leads to all of them.</p>
      </article>
    </div>
  `,
})
export class NotFoundPage {
  constructor() {
    inject(Meta).updateTag({ name: 'description', content: 'No page has this address.' });
    // Addresses of a page that was shown before are not this page's.
    inject(DOCUMENT).querySelector('link[rel="canonical"]')?.remove();
  }
}
