import { Component, effect, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Answer } from '../answer/answer';
import { BarChart } from '../benchmarks/bar-chart';
import { Article } from '../content/article';
import type { HomeContent } from '../content/page-content';
import { PageMeta } from '../content/page-meta';

/** The README, with the chart of the newest results. */
@Component({
  selector: 'app-home',
  imports: [Answer, Article, BarChart, RouterLink],
  template: `
    <div class="page home">
      <article>
        <app-answer path="" />
        <div class="text lead" [appArticle]="page().parts?.[0]"></div>
        <app-bar-chart
          [chart]="page().shown"
          heading="Server CPU per hit"
          [note]="
            'Measured on ' + page().question.date + ', commit ' + page().question.commit + '.'
          "
        />
        <div class="text" [appArticle]="page().parts?.[1]"></div>
        <nav class="turn" aria-label="Next page">
          @if (page().next; as next) {
            <a class="next" rel="next" [routerLink]="'/' + next.path">{{ next.title }}</a>
          }
        </nav>
      </article>
    </div>
  `,
})
export class HomePage {
  readonly page = input.required<HomeContent>();

  constructor() {
    const meta = inject(PageMeta);
    effect(() => meta.describe(this.page()));
  }
}
