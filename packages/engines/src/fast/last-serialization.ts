import type { ApplicationRef } from '@angular/core';

type Callback = (...values: unknown[]) => unknown;
type Get = (token: unknown, notFound?: unknown, ...more: unknown[]) => unknown;

/**
 * Tells Angular's own serialization of a page from those of the application, which may call `document.serialize()` or
 * `PlatformState.renderToString()` at any time. Angular's is the first one after all callbacks of
 * BEFORE_APP_SERIALIZED have ended.
 */
export class LastSerialization {
  /** Callbacks that have not ended; undefined until Angular has asked for them. */
  #pending: number | undefined;

  /** Whether Angular's own serialization is next. */
  get isNext(): boolean {
    return this.#pending === 0;
  }

  /**
   * Follows a started application. Angular gets the callbacks from its injector with exactly two arguments; `inject()`
   * passes more, and what a page injects stays as it was provided.
   */
  follow({ injector }: ApplicationRef): void {
    const patched = injector as unknown as { get: Get };
    const { get } = patched;
    patched.get = (token, notFound, ...more) => {
      const found = get.call(injector, token, notFound, ...more);
      if (notFound !== null || more.length > 0 || !isBeforeSerialized(token)) return found;
      return this.#watch((found ?? []) as readonly Callback[]);
    };
  }

  #watch(callbacks: readonly Callback[]): Callback[] {
    let pending = callbacks.length;
    this.#pending = pending;
    const end = (): void => void (this.#pending = --pending);
    return callbacks.map((callback) => (...values) => {
      let result: unknown;
      try {
        result = callback(...values);
      } catch (error) {
        end();
        throw error;
      }
      if (!isPromise(result)) {
        end();
        return result;
      }
      return result.finally(end);
    });
  }
}

/**
 * Whether a token is BEFORE_APP_SERIALIZED: by its description, because the bundle of the server has a copy of Angular
 * with a token of its own.
 */
function isBeforeSerialized(token: unknown): boolean {
  return typeof token === 'object' && String(token) === 'InjectionToken Server.RENDER_MODULE_HOOK';
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { finally?: unknown } | null | undefined)?.finally === 'function';
}
