import { Component, computed, effect, inject, input } from '@angular/core';
import { Answer } from '../answer/answer';
import { Article } from '../content/article';
import type { PageContent } from '../content/page-content';
import { PageMeta } from '../content/page-meta';
import { Outline } from '../layout/outline';
import { PageEnd } from '../layout/page-end';

/** A page of Markdown. */
@Component({
  selector: 'app-guide',
  imports: [Answer, Article, Outline, PageEnd],
  template: `
    <div class="page">
      <article>
        <app-answer [path]="path()" />
        <div class="text" [appArticle]="page().html"></div>
        <app-page-end [page]="page()" />
      </article>
      <app-outline [path]="path()" [headings]="page().headings" />
    </div>
  `,
})
export class GuidePage {
  readonly page = input.required<PageContent>();
  protected readonly path = computed(() => this.page().path);

  constructor() {
    const meta = inject(PageMeta);
    effect(() => meta.describe(this.page()));
  }
}
