import { Component, computed, ElementRef, inject, signal, viewChild } from '@angular/core';
import { Router } from '@angular/router';
import type { Found } from './find';
import { SearchIndex } from './search-index';
import { SUGGESTIONS } from './suggestions';

/**
 * A combobox (ARIA 1.2) over all headings: arrows choose, Enter opens, Escape closes; search-keys.ts focuses it. It
 * suggests pages before words are typed, and where nothing is found.
 */
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
        aria-keyshortcuts="Control+K Meta+K /"
        autocomplete="off"
        spellcheck="false"
        placeholder="Search"
        [attr.aria-expanded]="isOpen()"
        [attr.aria-activedescendant]="isOpen() && at() >= 0 ? 'found-' + at() : null"
        (focus)="start()"
        (input)="find(input.value)"
        (keydown)="choose($event)"
      />
      <kbd aria-hidden="true">Ctrl K</kbd>
      <div class="found" [hidden]="!isOpen()">
        @if (message(); as message) {
          <p>{{ message }}</p>
        }
        <ul id="found" role="listbox" aria-label="Found">
          @for (one of shown(); track one.id; let at = $index) {
            <li
              role="option"
              [id]="'found-' + at"
              [attr.aria-selected]="at === this.at()"
              (pointerdown)="$event.preventDefault()"
              (click)="open(one)"
            >
              <strong>{{ one.heading }}</strong>
              <span>{{ placeOf(one) }}</span>
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
  readonly #found = signal<readonly Found[]>([]);
  /** The words of the shown result. */
  readonly #searched = signal('');
  protected readonly isOpen = signal(false);
  readonly #isEmpty = computed(() => this.#searched() !== '' && this.#found().length === 0);
  protected readonly shown = computed(() => {
    return this.#searched() === '' || this.#isEmpty() ? SUGGESTIONS : this.#found();
  });
  /** Which one of them is chosen; -1: none. */
  protected readonly at = signal(-1);
  protected readonly message = computed(() => {
    if (this.#isEmpty()) return `Nothing found for “${this.#searched()}”. Try one of these pages:`;
    return this.#searched() === '' ? 'Suggestions' : undefined;
  });
  protected readonly status = computed(() => {
    if (!this.isOpen() || this.#searched() === '') return '';
    return this.#isEmpty() ? 'Nothing found' : `${this.#found().length} found`;
  });

  protected start(): void {
    this.isOpen.set(true);
    this.#index.load().catch(() => undefined);
  }

  protected async find(typed: string): Promise<void> {
    const words = typed.trim();
    this.#words.set(words);
    const found = words === '' ? [] : await this.#index.find(words);
    // Of two searches in flight the later one counts.
    if (words !== this.#words()) return;
    this.#found.set(found);
    this.#searched.set(words);
    this.isOpen.set(true);
    this.at.set(found.length > 0 ? 0 : -1);
  }

  protected choose(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const { length } = this.shown();
    if (step !== undefined) {
      event.preventDefault();
      // Up leads from no choice to the last one.
      const from = this.at() === -1 && step === -1 ? 0 : this.at();
      this.isOpen.set(true);
      this.at.set((from + step + length) % length);
      const chosen = this.#element.querySelector(`#found-${this.at()}`);
      chosen?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      const chosen = this.shown()[this.at()];
      if (chosen !== undefined) this.open(chosen);
    } else if (event.key === 'Escape') {
      // The browser would empty the field, and so open the suggestions.
      event.preventDefault();
      this.#close();
    }
  }

  protected open({ id }: Found): void {
    this.input().nativeElement.value = '';
    this.#found.set([]);
    this.#searched.set('');
    this.input().nativeElement.blur();
    void this.#router.navigateByUrl(id);
  }

  /** The section, and the page where the heading is not its title. */
  protected placeOf({ section, title, heading }: Found): string {
    return title === heading ? section : `${section} › ${title}`;
  }

  protected closeOnLeave({ relatedTarget }: FocusEvent): void {
    if (!this.#element.contains(relatedTarget as Node | null)) this.#close();
  }

  #close(): void {
    // A search in flight does not open it again.
    this.#words.set('');
    this.isOpen.set(false);
    this.at.set(-1);
  }
}
