import { computed, type Resource, type Signal, signal } from '@angular/core';
import type { Arrival } from './arrival.ts';
import { type SlotTypes, watchSlot } from './slot.ts';

/**
 * The data of a slot as a read-only resource: {@link slot} with a status.
 *
 * | status       | when                                                                                  |
 * | ------------ | ------------------------------------------------------------------------------------- |
 * | `'idle'`     | on the server, during hydration, and for requests that do not get the slot            |
 * | `'loading'`  | after hydration, until the data or the end of the response is there                   |
 * | `'resolved'` | with data                                                                             |
 * | `'error'`    | the slot failed on the server: `error()` says so, and the reason is in the server's log |
 *
 * `value()` does not throw: without data it is the fallback in every status.
 *
 * @param fallback - What the page shows that is the same for all. Default: `undefined`.
 * @example
 * readonly cart = slotResource('cart', { count: 0 });
 */
export function slotResource<Name extends keyof SlotTypes>(
  name: Name,
  fallback: SlotTypes[Name],
): Resource<SlotTypes[Name]>;
/** The same without a fallback. */
export function slotResource<Name extends keyof SlotTypes>(
  name: Name,
): Resource<SlotTypes[Name] | undefined>;
/** The same for a slot whose type is not declared. */
export function slotResource<Data, Name extends string = string>(
  name: Name extends keyof SlotTypes ? never : Name,
  fallback: Data,
): Resource<Data>;
/** The same for a slot whose type is not declared, without a fallback. */
export function slotResource<Data, Name extends string = string>(
  name: Name extends keyof SlotTypes ? never : Name,
): Resource<Data | undefined>;
export function slotResource(name: string, fallback?: unknown): Resource<unknown> {
  const state = signal<State>('idle');
  watchSlot(
    name,
    (arrival) => state.set(arrival === 'absent' ? 'idle' : arrival),
    () => state.set('loading'),
  );
  return new SlotResource(name, state, fallback);
}

type State = 'idle' | 'loading' | Exclude<Arrival, 'absent'>;

class SlotResource<Data> implements Resource<Data> {
  readonly value: Signal<Data>;
  readonly status: Resource<Data>['status'];
  readonly error: Signal<Error | undefined>;
  readonly isLoading: Signal<boolean>;
  readonly snapshot: Resource<Data>['snapshot'];

  constructor(name: string, state: Signal<State>, fallback: Data) {
    const status = computed(() => {
      const current = state();
      if (typeof current === 'object') return 'resolved';
      return current === 'failed' ? 'error' : current;
    });
    const value = computed(() => {
      const current = state();
      return typeof current === 'object' ? (current.data as Data) : fallback;
    });
    const failure = new Error(`The slot ${name} failed on the server.`);
    this.status = status;
    this.value = value;
    this.error = computed(() => (status() === 'error' ? failure : undefined));
    this.isLoading = computed(() => status() === 'loading');
    this.snapshot = computed(() => {
      const current = status();
      return current === 'error'
        ? { status: current, error: failure }
        : { status: current, value: value() };
    });
  }

  hasValue(this: Data extends undefined ? this : never): this is Resource<Exclude<Data, undefined>>;
  hasValue(): boolean;
  hasValue(): boolean {
    return this.status() !== 'error' && this.value() !== undefined;
  }
}
