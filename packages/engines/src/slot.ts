/**
 * A value that is kept on its object. A collection of V8's young generation takes every value of a WeakMap as
 * alive: one for each render's objects would keep all pages until the next major collection.
 */
export class Slot<Owner extends object, Value> {
  readonly #key: symbol;

  /** @param name - Shown where the object is printed. */
  constructor(name: string) {
    this.#key = Symbol(`ng-ssr.${name}`);
  }

  /** @returns undefined for an object without a value. */
  get(owner: Owner): Value | undefined {
    return (owner as Record<symbol, Value | undefined>)[this.#key];
  }

  set(owner: Owner, value: Value): void {
    Object.defineProperty(owner, this.#key, { value, writable: true, configurable: true });
  }
}
