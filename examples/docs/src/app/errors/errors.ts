import {
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  input,
  signal,
  viewChild,
} from '@angular/core';
import { Answer } from '../answer/answer';
import { Article } from '../content/article';
import type { PartedContent } from '../content/page-content';
import { PageMeta } from '../content/page-meta';
import { Outline } from '../layout/outline';
import { PageEnd } from '../layout/page-end';
import { filterEntries } from './filter-entries';

/** docs/errors.md, with a header that filters its codes. */
@Component({
  selector: 'app-errors',
  imports: [Answer, Article, Outline, PageEnd],
  template: `
    <div class="page">
      <article>
        <app-answer [path]="path()" />
        <div class="text" [appArticle]="page().parts?.[0]"></div>
        <search class="filter">
          <label for="filter">Filter by code or message</label>
          <input
            #filter
            id="filter"
            type="search"
            autocomplete="off"
            spellcheck="false"
            (input)="show(filter.value)"
          />
          <p role="status">{{ status() }}</p>
        </search>
        <div #entries class="text" [appArticle]="page().parts?.[1]"></div>
        <app-page-end [page]="page()" />
      </article>
      <app-outline [path]="path()" [headings]="page().headings" />
    </div>
  `,
})
export class ErrorsPage {
  readonly page = input.required<PartedContent>();
  private readonly entries = viewChild.required<ElementRef<HTMLElement>>('entries');
  protected readonly path = computed(() => this.page().path);
  readonly #all = computed(() => this.page().headings.filter(({ level }) => level === 3).length);
  /** How many errors match; undefined without a filter. */
  readonly #count = signal<number | undefined>(undefined);
  protected readonly status = computed(() => {
    const count = this.#count();
    if (count === 0) return 'No error matches.';
    if (count === undefined) return `${this.#all()} errors.`;
    return `${count} ${count === 1 ? 'error matches' : 'errors match'}.`;
  });

  constructor() {
    const meta = inject(PageMeta);
    effect(() => meta.describe(this.page()));
  }

  protected show(typed: string): void {
    const words = typed.trim();
    const shown = filterEntries(this.entries().nativeElement, words);
    this.#count.set(words === '' ? undefined : shown);
  }
}
