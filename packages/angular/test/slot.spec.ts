import '@angular/compiler';
import { Component, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { slot, slotResource } from '@ng-ssr/angular';
import { expect, test, vi } from 'vitest';

interface Cart {
  readonly count: number;
}

declare module '@ng-ssr/angular' {
  interface SlotTypes {
    cart: Cart;
  }
}

class App {
  readonly cart = slot('cart', { count: 0 });
  readonly name = slot<string>('name', 'visitor');
  readonly resource = slotResource('cart', { count: 0 });
  readonly open = slotResource('cart');
}
Component({
  selector: 'app-root',
  template: `cart={{ cart().count }} name={{ name() }} {{ resource.status() }}
    {{ resource.value().count }} {{ resource.hasValue() }} {{ open.hasValue() }} {{ open.snapshot().status }}`,
})(App);

test('outside of an injection context the error names slot()', () => {
  expect(() => slot('cart', { count: 0 })).toThrow(
    /slot\(\) can only be used within an injection context/,
  );
});

test('on the server a slot is its fallback, whatever the document has', async () => {
  vi.stubGlobal('ngServerMode', true);
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(
      App,
      { providers: [provideZonelessChangeDetection(), provideServerRendering()] },
      context,
    );
  const element = `<script type="application/json" data-ng-ssr-slot="cart">{"count":3}\n</script>`;
  const page = await renderApplication(bootstrap, {
    document: `<html><body><app-root></app-root>${element}</body></html>`,
    url: 'http://localhost/',
    allowedHosts: ['localhost'],
  });
  vi.unstubAllGlobals();
  expect(page.replace(/\s+/g, ' ')).toContain('cart=0 name=visitor idle 0 true false idle');
});

/** What compiles, and what does not. */
export const types = {
  declared: (): number => slot('cart', { count: 0 })().count,
  given: (): number => slot<Cart>('basket', { count: 0 })().count,
  inferred: (): number => slot('basket', { count: 0 })().count,
  resource: (): number => slotResource('cart', { count: 0 }).value().count,
  withoutFallback: (): Cart | undefined => slotResource('cart').value(),
  undeclared: (): Cart | undefined => slotResource<Cart>('basket').value(),
  narrowed: (): number => {
    const cart = slotResource('cart');
    return cart.hasValue() ? cart.value().count : 0;
  },
  // @ts-expect-error -- A resource that is read only.
  reload: () => slotResource('cart').reload(),
  // @ts-expect-error -- The fallback has another type than the slot.
  wrongResource: () => slotResource('cart', { number: 0 }),
  // @ts-expect-error -- The fallback has another type than the slot.
  wrong: () => slot('cart', { number: 0 }),
  // @ts-expect-error -- A signal that is read only.
  set: () => slot('cart', { count: 0 }).set({ count: 1 }),
};
