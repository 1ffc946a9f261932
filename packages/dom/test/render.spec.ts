import {
  ChangeDetectionStrategy,
  Component,
  inject,
  provideZonelessChangeDetection,
  type Type,
} from '@angular/core';
import {
  Meta,
  Title,
  bootstrapApplication,
  provideClientHydration,
  type BootstrapContext,
} from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { expect, it } from 'vitest';
import { ourDocument, URL_OF_PAGE } from './both-doms.ts';

const INDEX =
  '<!doctype html><html lang="en" data-beasties-container><head><meta charset="utf-8"><title>Shop</title>' +
  '<base href="/"></head><body class="mat-typography"><app-root></app-root></body></html>';

function define(metadata: Component, type: Type<unknown>): void {
  Component({ ...metadata, changeDetection: ChangeDetectionStrategy.Eager })(type);
}

class Row {
  label = '';
}
define(
  {
    selector: 'app-row',
    inputs: ['label'],
    styles: [':host { display: block } b { color: red }'],
    template: '<b [class.long]="label.length > 3">{{ label }}</b><ng-content />',
  },
  Row,
);

class Shop {
  readonly items = ['tea', 'milk', 'a < b & "c"'];
  readonly markup = '<i onclick="x()">bold</i><script>bad()</script>';
  readonly none: string | null = null;
  constructor() {
    inject(Title).setTitle('Shop & more');
    inject(Meta).updateTag({ name: 'description', content: 'All "things"' });
  }
}
define(
  {
    selector: 'app-root',
    imports: [Row],
    styles: ['p { margin: 0 }'],
    template: `<h1 [id]="'head'" [attr.aria-label]="items.length" [style.width.px]="12">Shop</h1>
      @for (item of items; track item; let i = $index) {
        <app-row [label]="item" [class]="{ odd: i % 2 }" (click)="items.pop()"><em>{{ i }}</em></app-row>
      } @empty { none }
      @if (none) { <p>never</p> } @else { <p>else</p> }
      <svg viewBox="0 0 2 2"><g [attr.transform]="'scale(2)'"><path d="M0"/></g></svg>
      <input [value]="items[2]" disabled [attr.xlink:href]="none">
      <div [innerHTML]="markup"></div><a href="/x?y=1&amp;z">x</a>
      <ng-template #later><p>later</p></ng-template>`,
  },
  Shop,
);

async function render(document: unknown, hydrated: boolean): Promise<string> {
  return renderApplication(
    (context: BootstrapContext) =>
      bootstrapApplication(
        Shop,
        {
          providers: [
            provideServerRendering(),
            provideZonelessChangeDetection(),
            ...(hydrated ? [provideClientHydration()] : []),
          ],
        },
        context,
      ),
    { document: document as string, url: URL_OF_PAGE, allowedHosts: ['localhost'] },
  );
}

it.each([false, true])(
  'renders the page that Angular renders with its own DOM, hydration %s',
  async (hydrated) => {
    const document = ourDocument(INDEX);
    const page = await render(document, hydrated);
    expect(page).toBe(await render(INDEX, hydrated));
    expect(page).toContain('<b _ngcontent');
    expect(document.unsupported).toBeUndefined();
  },
);
