import {
  afterRenderEffect,
  Component,
  effect,
  ElementRef,
  inject,
  InjectionToken,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router } from '@angular/router';
import { filter, map } from 'rxjs';
import { Article } from '../content/article';
import { scrollToCurrent } from './scroll-to-current';

/** The list of all pages as HTML. The server alone has it: the browser finds it in the document. */
export const CONTENTS_HTML = new InjectionToken<string>('CONTENTS_HTML');

/** Every page, by section; the shown page is marked, and its section open. */
@Component({
  selector: 'app-contents',
  imports: [Article],
  template: `<div [appArticle]="html"></div>`,
})
export class Contents {
  protected readonly html = inject(CONTENTS_HTML, { optional: true }) ?? undefined;

  constructor() {
    const router = inject(Router);
    const element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    const shown = toSignal(
      router.events.pipe(
        filter((event) => event instanceof NavigationEnd),
        map(({ urlAfterRedirects }) => urlAfterRedirects.split(/[?#]/)[0]!),
      ),
    );
    effect(() => {
      const path = shown();
      if (path !== undefined) mark(element, path);
    });
    // Only in browsers.
    afterRenderEffect(() => {
      if (shown() !== undefined) scrollToCurrent(element.closest('.side'));
    });
  }
}

function mark(element: HTMLElement, path: string): void {
  // The server's lists of elements cannot be iterated.
  for (const link of Array.from(element.querySelectorAll('a'))) {
    const isShown = link.getAttribute('href') === path;
    if (isShown) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (isShown) link.closest('details')?.setAttribute('open', '');
  }
}
