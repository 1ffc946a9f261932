import { Component, effect, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Answer } from '../answer/answer';
import { BarChart } from '../benchmarks/bar-chart';
import { Article } from '../content/article';
import type { HomeContent } from '../content/page-content';
import { PageMeta } from '../content/page-meta';
import { Outline } from '../layout/outline';
import { Picture } from './picture';

/** A claim and a picture, then the README with the chart of the newest results. */
@Component({
  selector: 'app-home',
  imports: [Answer, Article, BarChart, Outline, Picture, RouterLink],
  template: `
    <div class="page">
      <article>
        <div class="hero">
          <div>
            <h1>Server-rendered Angular, served from memory</h1>
            <p>
              ng-ssr runs inside the HTTP framework that you already use. It serves built files and
              cached pages in microseconds, and renders a page only when it has to.
            </p>
            <p class="ways">
              <a class="button main" routerLink="/start">Get started</a>
              <a class="button" routerLink="/caching">Cache pages</a>
            </p>
            <app-answer path="" />
          </div>
          <app-picture />
        </div>
        <div class="text" [appArticle]="page().parts?.[0]"></div>
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
      <app-outline path="" [headings]="page().headings" />
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
