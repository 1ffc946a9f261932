import { Component, type ElementRef, viewChild } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Search } from '../search/search';
import { ThemeSwitch } from '../theme/theme-switch';
import { Contents } from './contents';

const KNOWS_COMMANDS =
  'HTMLButtonElement' in globalThis && 'commandForElement' in HTMLButtonElement.prototype;

/** The head of every page: where home is, the search, the colors and, on narrow screens, the menu. */
@Component({
  selector: 'app-head',
  imports: [Contents, RouterLink, Search, ThemeSwitch],
  template: `
    <header class="head">
      <a class="brand" routerLink="/">ng-ssr</a>
      <app-search />
      <app-theme-switch />
      <a class="source" href="https://github.com/ng-ssr/ng-ssr">GitHub</a>
      <button
        class="menu-button"
        type="button"
        commandfor="menu"
        command="show-modal"
        aria-haspopup="dialog"
        (click)="open()"
      >
        Menu
      </button>
    </header>
    <dialog #menu id="menu" class="menu" aria-label="Menu" closedby="any">
      <button type="button" class="close" commandfor="menu" command="close" (click)="close()">
        Close
      </button>
      <nav aria-label="Menu"><app-contents (click)="leave($event)" /></nav>
    </dialog>
  `,
})
export class Head {
  private readonly menu = viewChild.required<ElementRef<HTMLDialogElement>>('menu');

  // For browsers that do not know commandfor: the others open and close it by themselves.
  protected open(): void {
    if (!KNOWS_COMMANDS) this.menu().nativeElement.showModal();
  }

  protected close(): void {
    if (!KNOWS_COMMANDS) this.menu().nativeElement.close();
  }

  /** A chosen page is shown; a section opens in the menu. */
  protected leave({ target }: Event): void {
    if ((target as Element).closest('a') !== null) this.menu().nativeElement.close();
  }
}
