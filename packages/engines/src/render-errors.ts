import type { ErrorHandler } from '@angular/core';

/** Angular's code for "Cannot match any routes": an absent page, not a failed one (NG04002). */
const NO_ROUTE_MATCHES = 4002;

/**
 * Handlers already followed, with the errors of the render they belong to. Angular makes a handler
 * per render; one that the application shares between renders (`useValue`) cannot tell whose error
 * it is given and is marked by null.
 */
const followed = new WeakMap<ErrorHandler, RenderErrors | null>();

/** Remembers the first error that an application gives to its ErrorHandler during one render. */
export class RenderErrors {
  private first: { readonly error: unknown } | undefined;

  /** Follows an ErrorHandler, which keeps working as before. */
  follow(handler: ErrorHandler): void {
    const owner = followed.get(handler);
    if (owner === this) return;
    followed.set(handler, owner === undefined ? this : null);
    if (owner !== undefined) return;
    const handle = handler.handleError;
    handler.handleError = function (this: ErrorHandler, error: unknown): void {
      followed.get(handler)?.record(error);
      handle.call(this, error);
    };
  }

  /** Throws the first error of this render, if there was one. */
  throwFirst(): void {
    if (this.first !== undefined) throw this.first.error;
  }

  private record(error: unknown): void {
    if (!isNoRouteMatch(error)) this.first ??= { error };
  }
}

function isNoRouteMatch(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NO_ROUTE_MATCHES;
}
