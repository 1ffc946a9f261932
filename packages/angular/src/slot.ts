import {
  afterNextRender,
  assertInInjectionContext,
  DestroyRef,
  inject,
  type Signal,
  signal,
} from '@angular/core';
import type { Arrival } from './arrival.ts';
import { ARRIVED } from './arrived-slots.ts';

/**
 * The types of slots, by name. An application declares its own:
 *
 * ```ts
 * import '@ng-ssr/angular';
 *
 * declare module '@ng-ssr/angular' {
 *   interface SlotTypes {
 *     cart: { count: number };
 *   }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- Declarations of applications are merged into it.
export interface SlotTypes {}

/**
 * The data of a slot of `withSlots()`, as a signal. On the server, and when the application starts in a browser, it is the
 * fallback. It becomes the data as soon as the component is rendered and the data is in the document: with the page or
 * later in the same response. If `withSlots()` has an endpoint, the data is fetched from there. Without data the fallback
 * stays.
 *
 * In a component whose element has `ngSkipHydration`, it is the data from the beginning, if that is in the document.
 *
 * Call it where a component is created, as `inject()`.
 *
 * @param fallback - What the page shows that is the same for all.
 * @example
 * readonly cart = slot('cart', { count: 0 });
 */
export function slot<Name extends keyof SlotTypes>(
  name: Name,
  fallback: SlotTypes[Name],
): Signal<SlotTypes[Name]>;
/** The same for a slot whose type is not declared. */
export function slot<Data, Name extends string = string>(
  name: Name extends keyof SlotTypes ? never : Name,
  fallback: Data,
): Signal<Data>;
export function slot(name: string, fallback: unknown): Signal<unknown> {
  assertInInjectionContext(slot);
  const value = signal(fallback);
  watchSlot(name, (arrival) => {
    if (typeof arrival === 'object') value.set(arrival.data);
  });
  return value.asReadonly();
}

/**
 * Calls back with the data of a slot, or its failure: at once in an island, and otherwise only in browsers, after
 * hydration, which must find what the server has rendered.
 *
 * @param onWait - Called if nothing is known when the component is rendered.
 */
export function watchSlot(
  name: string,
  onArrival: (arrival: Arrival) => void,
  onWait?: () => void,
): void {
  const arrived = inject(ARRIVED);
  const known = arrived.isForIsland() ? arrived.find(name) : undefined;
  if (known !== undefined) return onArrival(known);
  const gone = inject(DestroyRef);
  afterNextRender(() => {
    let isWaiting = true;
    const giveUp = arrived.read(name, (arrival) => {
      isWaiting = false;
      onArrival(arrival);
    });
    if (isWaiting) onWait?.();
    gone.onDestroy(giveUp);
  });
}
