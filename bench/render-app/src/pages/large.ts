import { DecimalPipe } from '@angular/common';
import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';

/** One of the articles. */
interface Article {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly share: number;
  readonly tags: readonly string[];
  readonly isNew: boolean;
}

@Component({
  selector: 'app-article',
  imports: [DecimalPipe, RouterLink],
  template: `
    <h2>
      <a [routerLink]="['/large']" [fragment]="'article-' + article().id">{{ article().name }}</a>
    </h2>
    <p>
      {{ article().price | number: '1.2-2' }} euros
      @if (article().isNew) {
        <em>new</em>
      }
    </p>
    <ul>
      @for (tag of article().tags; track tag) {
        <li>{{ tag }}</li>
      }
    </ul>
    <div class="bar" [style.width.%]="article().share"></div>
  `,
  host: { '[class.is-new]': 'article().isNew', '[attr.id]': '"article-" + article().id' },
})
export class ArticleCard {
  readonly article = input.required<Article>();
}

/** 3,500 nodes, elements and texts: cards of the usual kinds of bindings. */
@Component({
  selector: 'app-large',
  imports: [ArticleCard],
  template: `
    <h1>{{ articles.length }} articles</h1>
    @for (article of articles; track article.id) {
      <app-article [article]="article" />
    }
  `,
})
export class LargePage {
  protected readonly articles: readonly Article[] = Array.from({ length: 278 }, (_, id) => ({
    id,
    name: `Article ${id} & what belongs to it`,
    price: (id * 37) % 500,
    share: (id * 13) % 100,
    tags: ['one', 'two', 'three'].slice(id % 3),
    isNew: id % 4 === 0,
  }));
}
