import '@angular/compiler';
import { Component, inject, InjectionToken } from '@angular/core';
import { provideRouter, RouterLink } from '@angular/router';
import { renderIsland } from '@ng-ssr/engines';
import { slot, slotResource } from '@ng-ssr/angular';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// As the bundles of a server say.
beforeAll(() => void vi.stubGlobal('ngServerMode', true));
afterAll(() => void vi.unstubAllGlobals());

const REQUEST = new Request('http://shop.example/');
const CONTEXT = { slot: 'cart' };

interface CartData {
  readonly items: readonly string[];
}

let renders = 0;

class Total {
  readonly cart = slot<CartData>('cart', { items: [] });
}
Component({ selector: 'app-total', template: '<b>{{ cart().items.length }}</b>' })(Total);

class Cart {
  readonly cart = slot<CartData>('cart', { items: [] });
  readonly other = slot('other', 'none');
  readonly resource = slotResource<CartData>('cart');

  constructor() {
    renders++;
  }
}
Component({
  selector: 'app-cart',
  imports: [RouterLink, Total],
  template: `
    <a routerLink="/cart" [title]="cart().items[0]">{{ other() }} {{ resource.status() }}</a>
    @for (item of cart().items; track $index) {
      <i>{{ item }}</i>
    } @empty {
      <i>nothing</i>
    }
    <app-total />
  `,
})(Cart);

const options = { providers: [provideRouter([])] };

test('a component is rendered with the data of its slot, and not with other slots', async () => {
  const html = renderIsland(Cart, options);
  const items = ['<b>mug</b>', '"bowl" & </script><!--'];
  const made = await html({ items }, REQUEST, CONTEXT);
  expect(made).toContain('<i>&lt;b&gt;mug&lt;/b&gt;</i><i>"bowl" &amp; &lt;/script&gt;&lt;!--</i>');
  expect(made).toMatch(/^<a [^]*href="\/cart"[^]*>none resolved<\/a>/);
  expect(made).toContain('<b>2</b></app-total>');
  expect(made).not.toMatch(/nothing|<html|ng-ssr|data-ng-ssr-slot/);
  expect(await html({ items: [] }, REQUEST, CONTEXT)).toContain('<i>nothing</i>');
  // As in a browser: what `fill` returned for another slot is none of this one's.
  expect(await html({ items }, REQUEST, { slot: 'basket' })).toContain('none idle');
});

test('the same data is rendered once, at the same time too', async () => {
  const html = renderIsland(Cart, options);
  renders = 0;
  const ask = (): Promise<string> => html({ items: ['mug'] }, REQUEST, CONTEXT);
  const [one, other] = await Promise.all([ask(), ask()]);
  expect([await ask(), other]).toEqual([one, one]);
  expect(renders).toBe(1);
});

test('what was not used for longest leaves first, and nothing is cached with 0', async () => {
  const ask = async (html: ReturnType<typeof renderIsland>, items: string[]): Promise<number> => {
    renders = 0;
    await html({ items }, REQUEST, CONTEXT);
    return renders;
  };
  const size = (await renderIsland(Cart, options)({ items: ['a'] }, REQUEST, CONTEXT)).length;
  const two = renderIsland(Cart, { ...options, maxCachedCharacters: 2.5 * size + 100 });
  const asked = ['a', 'b', 'a', 'c', 'a', 'b'].map((item) => [item]);
  const made: number[] = [];
  for (const items of asked) made.push(await ask(two, items));
  expect(made).toEqual([1, 1, 0, 1, 0, 1]);
  const none = renderIsland(Cart, { ...options, maxCachedCharacters: 0 });
  expect([await ask(none, ['a']), await ask(none, ['a'])]).toEqual([1, 1]);
});

const STOCK = new InjectionToken<number>('stock');

class Broken {
  readonly cart = slot<CartData>('cart', { items: [] });
  readonly stock = inject(STOCK);
  crack(): string {
    if (this.cart().items.length > 0) throw new Error('cracked');
    return 'whole';
  }
}
Component({ selector: 'app-broken', template: '{{ crack() }} {{ stock }}' })(Broken);

test('a component that throws has no HTML, and an error is not cached', async () => {
  await expect(renderIsland(Broken)({ items: [] }, REQUEST, CONTEXT)).rejects.toThrow('stock');
  const html = renderIsland(Broken, { providers: [{ provide: STOCK, useValue: 3 }] });
  for (let turn = 0; turn < 2; turn++) {
    await expect(html({ items: ['mug'] }, REQUEST, CONTEXT)).rejects.toThrow('cracked');
  }
  expect(await html({ items: [] }, REQUEST, CONTEXT)).toBe('whole 3');
});
