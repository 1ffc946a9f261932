import { Component, computed, ElementRef, inject, signal, viewChild } from '@angular/core';
import { Router } from '@angular/router';
import { type Found, SearchIndex } from './search-index';

/** A combobox (ARIA 1.2) over all headings: arrows choose, Enter opens, Escape closes; slash-key.ts focuses it. */
@Component({
  selector: 'app-search',
  host: { '(focusout)': 'closeOnLeave($event)' },
  template: `
    <search class="search">
      <input
        #input
        type="search"
        role="combobox"
        aria-label="Search the documentation"
        aria-controls="found"
        aria-autocomplete="list"
        aria-keyshortcuts="/"
        autocomplete="off"
        spellcheck="false"
        placeholder="Search"
        [attr.aria-expanded]="isOpen()"
        [attr.aria-activedescendant]="isOpen() && at() >= 0 ? 'found-' + at() : null"
        (focus)="load()"
        (input)="find(input.value)"
        (keydown)="choose($event)"
      />
      <kbd aria-hidden="true">/</kbd>
      <div class="found" [hidden]="!isOpen()">
        <ul id="found" role="listbox" aria-label="Found">
          @for (one of found(); track one.id; let at = $index) {
            <li
              role="option"
              [id]="'found-' + at"
              [attr.aria-selected]="at === this.at()"
              (pointerdown)="$event.preventDefault()"
              (click)="open(one)"
            >
              <strong>{{ one.heading }}</strong>
              <span>{{ one.section }} › {{ one.title }}</span>
            </li>
          }
        </ul>
      </div>
      <p class="hidden" role="status">{{ status() }}</p>
    </search>
  `,
})
export class Search {
  readonly #index = inject(SearchIndex);
  readonly #router = inject(Router);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly input = viewChild.required<ElementRef<HTMLInputElement>>('input');
  readonly #words = signal('');
  protected readonly found = signal<readonly Found[]>([]);
  /** Which one of them is chosen; -1: none. */
  protected readonly at = signal(-1);
  protected readonly isOpen = computed(() => this.found().length > 0);
  protected readonly status = computed(() => {
    const { length } = this.found();
    if (this.#words() === '') return '';
    return length === 0 ? 'Nothing found' : `${length} found`;
  });

  protected load(): void {
    this.#index.load().catch(() => undefined);
  }

  protected async find(words: string): Promise<void> {
    this.#words.set(words.trim());
    const found = words.trim() === '' ? [] : await this.#index.find(words);
    // Of two searches under way the later one counts.
    if (words.trim() !== this.#words()) return;
    this.found.set(found);
    this.at.set(found.length > 0 ? 0 : -1);
  }

  protected choose(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const { length } = this.found();
    if (step !== undefined && length > 0) {
      event.preventDefault();
      this.at.update((at) => (at + step + length) % length);
      const chosen = this.#element.querySelector(`#found-${this.at()}`);
      chosen?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      const chosen = this.found()[this.at()];
      if (chosen !== undefined) this.open(chosen);
    } else if (event.key === 'Escape') {
      this.#close();
    }
  }

  protected open({ id }: Found): void {
    this.#close();
    this.input().nativeElement.value = '';
    this.input().nativeElement.blur();
    void this.#router.navigateByUrl(id);
  }

  protected closeOnLeave({ relatedTarget }: FocusEvent): void {
    if (!this.#element.contains(relatedTarget as Node | null)) this.#close();
  }

  #close(): void {
    this.#words.set('');
    this.found.set([]);
    this.at.set(-1);
  }
}
