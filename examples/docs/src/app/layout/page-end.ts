import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { PageContent } from '../content/page-content';

/** Where a page comes from, and the pages before and after it. */
@Component({
  selector: 'app-page-end',
  imports: [RouterLink],
  template: `
    <p class="origin">
      <a [href]="'/' + page().path + '.md'">This page as Markdown</a>
      @if (page().file; as file) {
        <a [href]="'https://github.com/ng-ssr/ng-ssr/edit/main/' + file">Edit this page</a>
      }
    </p>
    <nav class="turn" aria-label="Previous and next page">
      @if (page().previous; as previous) {
        <a class="previous" rel="prev" [routerLink]="'/' + previous.path">{{ previous.title }}</a>
      }
      @if (page().next; as next) {
        <a class="next" rel="next" [routerLink]="'/' + next.path">{{ next.title }}</a>
      }
    </nav>
  `,
})
export class PageEnd {
  readonly page = input.required<PageContent>();
}
