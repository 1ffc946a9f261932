import { Component, computed, effect, inject, input } from '@angular/core';
import { Answer } from '../answer/answer';
import { ChartChooser } from '../benchmarks/chart-chooser';
import { Article } from '../content/article';
import type { BenchmarksContent } from '../content/page-content';
import { PageMeta } from '../content/page-meta';
import { Outline } from '../layout/outline';
import { PageEnd } from '../layout/page-end';

/** docs/benchmarks.md, with the charts of the newest results. */
@Component({
  selector: 'app-benchmarks',
  imports: [Answer, Article, ChartChooser, Outline, PageEnd],
  template: `
    <div class="page">
      <article>
        <app-answer [path]="path()" />
        <div class="text" [appArticle]="page().parts?.[0]"></div>
        <app-chart-chooser [machines]="page().machines" [shown]="page().shown" />
        <div class="text" [appArticle]="page().parts?.[1]"></div>
        <app-page-end [page]="page()" />
      </article>
      <app-outline [path]="path()" [headings]="page().headings" />
    </div>
  `,
})
export class BenchmarksPage {
  readonly page = input.required<BenchmarksContent>();
  protected readonly path = computed(() => this.page().path);

  constructor() {
    const meta = inject(PageMeta);
    effect(() => meta.describe(this.page()));
  }
}
