import {
  afterRenderEffect,
  Directive,
  effect,
  ElementRef,
  inject,
  input,
  Renderer2,
} from '@angular/core';
import { EventPhase } from '@angular/core/primitives/event-dispatch';
import { Router } from '@angular/router';
import { showChosenTabs } from './code-tabs';

/**
 * Shows HTML that the build has made from Markdown, in which raw HTML is text. Where it is undefined
 * the element keeps what the server has put there. Links to pages of the site change the route.
 */
@Directive({ selector: '[appArticle]', host: { '(click)': 'follow($event)' } })
export class Article {
  readonly html = input.required<string | undefined>({ alias: 'appArticle' });
  readonly #router = inject(Router);

  constructor() {
    const element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    const renderer = inject(Renderer2);
    effect(() => {
      const html = this.html();
      if (html !== undefined) renderer.setProperty(element, 'innerHTML', html);
    });
    // Only in browsers.
    afterRenderEffect(() => {
      if (this.html() !== undefined) showChosenTabs(element);
    });
  }

  protected follow(event: MouseEvent): void {
    const link = (event.target as Element).closest('a');
    if (link === null || link.origin !== location.origin || link.target !== '') return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    // Files beside the pages are documents of their own.
    if (/\.\w+$/.test(link.pathname) || link.pathname === location.pathname) return;
    // The browser has followed it before the application was there.
    if (event.eventPhase === EventPhase.REPLAY) return;
    event.preventDefault();
    void this.#router.navigateByUrl(link.pathname + link.search + link.hash);
  }
}
