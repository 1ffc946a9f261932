import { CurrencyPipe, DatePipe, DecimalPipe, NgOptimizedImage } from '@angular/common';
import { Component, computed, DOCUMENT, effect, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';

@Component({
  selector: 'app-home',
  imports: [CurrencyPipe, DatePipe, DecimalPipe, NgOptimizedImage, RouterLink],
  template: `
    <h1 i18n="@@welcome">Welcome to the gallery</h1>
    <p>{{ greeting }}</p>
    <p i18n="@@count">
      {visible().length, plural,
        =0 {No picture}
        =1 {One picture}
        other {Pictures: {{ visible().length }}}
      }
    </p>
    <img ngSrc="/picture.svg" width="40" height="40" priority alt="" />
    <ul>
      @for (picture of visible(); track picture.name; let index = $index) {
        <li [class.first]="index === 0" [style.order]="index">
          {{ picture.name }}: {{ picture.price | currency: 'EUR' }},
          {{ picture.size | number: '1.1-2' }}, {{ picture.day | date: 'longDate' : 'UTC' }}
        </li>
      } @empty {
        <li>None</li>
      }
    </ul>
    <div class="card">
      <em>&lt;&amp;&gt; “é” 日本 {{ tag }}</em>
    </div>
    <div [innerHTML]="html"></div>
    <a routerLink="/parts" i18n="@@parts">Parts</a>
    <button type="button" (click)="count.set(count() + 1)">{{ count() }}</button>
  `,
  styles: `
    :host {
      display: block;
    }
    .card {
      border: 1px solid;
    }
  `,
})
export class Home {
  readonly greeting = $localize`:@@greeting:Pictures of all sizes`;
  readonly html = '<b title="a&quot;b">bold</b><script>no</script>';
  readonly tag = '<script>';
  readonly count = signal(0);
  readonly visible = computed(() =>
    this.pictures.filter(({ size }) => size > this.count() + this.least()),
  );
  private readonly least = signal(0);
  private readonly pictures = [1, 2, 3].map((size) => ({
    name: `Picture ${size}`,
    price: size * 9.5,
    size: size * 1.25,
    day: Date.UTC(2026, size, 3),
  }));

  constructor() {
    effect(() => this.least.set(1.5));
    // The fast way writes the page with a method of its own.
    if (Object.hasOwn(inject(DOCUMENT), 'serialize')) {
      console.log('The document is that of ng-ssr.');
    }
  }
}
