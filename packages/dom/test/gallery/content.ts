import {
  AsyncPipe,
  CurrencyPipe,
  DatePipe,
  I18nPluralPipe,
  NgClass,
  NgComponentOutlet,
  NgOptimizedImage,
  NgStyle,
  NgTemplateOutlet,
  UpperCasePipe,
} from '@angular/common';
import { Component, DOCUMENT, inject, makeStateKey, Renderer2, TransferState } from '@angular/core';
import { DomSanitizer, Meta, Title } from '@angular/platform-browser';
import { RouterLink, RouterLinkActive } from '@angular/router';
import { page } from './page.ts';

/** A text from a content management system: partly allowed, partly taken away by Angular's sanitizer. */
const CMS_TEXT = `<h2 id="x" class="a b" style="color: red">Title &amp; more</h2><p onclick="x()">Text <b>bold<i>both</b>i</i>
<a href="javascript:x()" target=_blank>bad</a><a href="/ok?a=1&b=2">ok</a><img src=x onerror=y srcset="a 1x, b 2x"></p>
<script>bad()</script><style>p{}</style><table><tr><td>cell<td>next</table><svg><g><a xlink:href="x">svg</a></g></svg>
<!-- comment --><form><input name=a></form><iframe src=b></iframe>&lt;kept&gt; &nbsp; 5 < 6 <unknown>u</unknown><ul><li>1<li>2</ul>`;

export const html = page(
  `<div [innerHTML]="text"></div><div [innerHTML]="text"></div><p [innerHTML]="plain"></p><div [innerHTML]="trusted"></div>
  <table><tbody [innerHTML]="trustedRows"></tbody></table><select [innerHTML]="trustedOptions"></select>
  <textarea [innerHTML]="plain"></textarea><template [innerHTML]="trusted"></template><p [outerHTML]="trustedText"></p>
  <span [textContent]="text"></span><span [innerText]="plain"></span><pre>{{ text }}</pre><a [href]="bad">x</a><img [src]="bad" />`,
  [],
  class {
    readonly #sanitizer = inject(DomSanitizer);
    readonly text = CMS_TEXT;
    readonly plain = 'Plain text, with "quotes" and é';
    readonly bad = 'javascript:alert(1)';
    readonly trusted = this.#sanitizer.bypassSecurityTrustHtml(CMS_TEXT);
    readonly trustedRows = this.#sanitizer.bypassSecurityTrustHtml(
      '<tr><td>1<td onclick="x">2<tr>x',
    );
    readonly trustedOptions = this.#sanitizer.bypassSecurityTrustHtml(
      '<option>1<option selected>2<div>3',
    );
    readonly trustedText = this.#sanitizer.bypassSecurityTrustHtml('<!--c-->text');
  },
);

export const graphics = page(
  `<svg [attr.viewBox]="'0 0 ' + size + ' 10'" width="10" [class.on]="size > 3" [style.color]="'red'" xmlns:x="y">
  <defs><linearGradient id="g"><stop offset="0" /></linearGradient></defs>@for (n of [1, 2]; track n) {<circle [attr.r]="n" [class]="'c' + n" />}
  <use xlink:href="#g" [attr.xlink:href]="'#h'" /><foreignObject><div [innerHTML]="'<b>x</b>'"></div></foreignObject><text>a &lt; b</text>
  <a [attr.href]="'javascript:x'" [attr.xml:lang]="'de'">l</a><title>t</title></svg><svg:g /><math><mi [attr.x]="size">x</mi><mo>&lt;</mo></math>`,
  [],
  class {
    readonly size = 5;
  },
);

const state = makeStateKey<unknown>('state');

export const documents = page(
  `<p>{{ title }}</p><span>{{ cookies }}</span>`,
  [],
  class {
    title = '';
    cookies = '';
    constructor() {
      const document = inject(DOCUMENT);
      const title = inject(Title);
      title.setTitle(' The  "title" & <more> ');
      this.title = title.getTitle();
      const meta = inject(Meta);
      meta.addTags([
        { name: 'description', content: 'a "b" <c> & d' },
        { property: 'og:title', content: "it's" },
      ]);
      meta.updateTag({ name: 'description', content: 'changed' });
      meta.updateTag({ charset: 'utf-16' }, 'charset');
      meta.removeTag('name="viewport"');
      inject(TransferState).set(state, {
        text: '</script><script>"\u2028',
        list: [1, null, { a: true }],
      });
      const link = document.createElement('link');
      link.rel = 'canonical';
      link.href = `${document.location.origin}${document.location.pathname}`;
      document.head.appendChild(link);
      const script = document.createElement('script');
      script.type = 'application/ld+json';
      script.text = JSON.stringify({ '@type': 'Thing', name: '</script>' });
      document.head.insertBefore(script, document.head.firstChild);
      document.documentElement.setAttribute('dir', 'rtl');
      document.body.classList.add('theme', 'dark');
      document.body.classList.toggle('dark');
      const found = [
        ...(document.querySelectorAll('head > meta, body.theme') as unknown as Element[]),
      ];
      this.cookies = found.map((each) => each.tagName + (each.getAttribute('name') ?? '')).join();
      const renderer = inject(Renderer2);
      const made = renderer.createElement('section');
      renderer.setProperty(made, 'innerHTML', '<i>set</i>');
      renderer.setStyle(made, 'background-color', 'red');
      renderer.setAttribute(made, 'data-x', '1');
      renderer.insertBefore(document.body, made, document.body.firstChild);
      renderer.appendChild(made, renderer.createComment('end -->'));
    }
  },
);

export const control = page(
  `@if (list.length; as n) {<p>{{ n }} items</p>} @else {<p>none</p>} @for (i of list; track i.id; let odd = $odd) {
  <li [class.odd]="odd" [ngClass]="{ a: odd, 'b c': !odd }" [ngStyle]="{ 'width.px': i.id, color: null }">{{ i.name | uppercase }}</li>
  } @empty {x} @switch (list[0].id) { @case (1) {<b>one</b>} @default {d} } <ng-container *ngTemplateOutlet="t; context: { $implicit: 'c' }" />
  <ng-template #t let-x>{{ x }}</ng-template><ng-container *ngComponentOutlet="inner" />{{ value | async }}{{ 12.5 | currency }}
  {{ day | date: 'longDate' }}{{ 2 | i18nPlural: { '=1': 'one', other: '# others' } }}<input [value]="'a&quot;b'" [disabled]="true" [attr.aria-label]="null" />
  <p i18n="@@greeting">Hello {{ list[0].name }}, <b>you</b> have {list.length, plural, =1 {one thing} other {{{ list.length }} things}}</p>
  <img i18n-alt alt="picture" [style]="'width: 3px; --x: 1'" style="height:1px" class="k" [class]="['l', 'm']" /><div ngNonBindable>{{ raw }}</div>
  &nbsp;&lt;\u00a0<textarea [value]="'v'"></textarea><select><option [selected]="true">o</option></select><p> a  b </p>@let z = 3;{{ z }}`,
  [
    ...[NgClass, NgStyle, NgTemplateOutlet, NgComponentOutlet, AsyncPipe, CurrencyPipe, DatePipe],
    ...[I18nPluralPipe, UpperCasePipe],
  ],
  class {
    readonly list = [
      { id: 1, name: 'Ann <a@b>' },
      { id: 2, name: 'Bob "&" Co' },
    ];
    readonly value = Promise.resolve('async');
    readonly day = new Date(2024, 1, 29);
    readonly inner = page('<em>inner</em>');
  },
);

export const images = page(
  `<img ngSrc="/a.png" width="10" height="20" priority /><img ngSrc="b c.png" fill sizes="50vw" />
  <img ngSrc="d.png" width="1" height="1" loading="eager" placeholder="data:image/png;base64,AA" />
  <picture><source srcset="a.webp 1x" /><img src="a" alt="" /></picture><video muted [muted]="true" poster="p"></video>`,
  [NgOptimizedImage],
);

export const links = page(
  `<a routerLink="/links" routerLinkActive="on" ariaCurrentWhenActive="page">self</a>
  <a [routerLink]="['/x', 1, { m: 'a b' }]" [queryParams]="{ q: 'a&b', r: null }" fragment="f">x</a><button routerLink="/y">y</button>
  <a routerLink="../up" [routerLinkActiveOptions]="{ exact: true }" routerLinkActive="a b">up</a>`,
  [RouterLink, RouterLinkActive],
);

class Shadow {}
Component({
  selector: 'with-content',
  template: '<header><ng-content select="[head]" /></header><ng-content>fallback</ng-content>',
  styles: [':host(.x) b { color: red } ::ng-deep i { top: 0 }'],
  host: {
    '[class.x]': 'true',
    'data-host': 'h',
    '(click)': 'noop()',
    '[style.--v]': '1',
    '[attr.role]': '"group"',
  },
})(Shadow);

export const deferred = page(
  `<with-content><b head>h</b><i>c</i></with-content><with-content />
  @defer (hydrate on interaction) {<button (click)="noop()">later</button>} @placeholder {<p>wait</p>}
  @defer (hydrate on viewport; on idle) {<with-content>in <button (click)="noop()">b</button></with-content>} @placeholder {x}
  @defer (hydrate never) {<p>never</p>} @defer (on timer(60s)) {<p>no</p>} @placeholder (minimum 1s) {<p>placeholder</p>} @loading {l}
  <p ngSkipHydration (click)="noop()" (focusin)="noop()">skip</p><div jsaction="x:y"></div>`,
  [Shadow],
  class {
    noop(): void {}
  },
);
