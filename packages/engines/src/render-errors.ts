import { ErrorHandler, type ApplicationRef } from '@angular/core';

/** Angular's code for "Cannot match any routes": an absent page, not a failed one (NG04002). */
const NO_ROUTE_MATCHES = 4002;

/**
 * Handlers already followed, with the errors of the render they belong to. Angular makes a handler
 * per render; one that the application shares between renders (`useValue`) cannot tell whose error
 * it is given and is marked by null.
 */
const followed = new WeakMap<ErrorHandler, RenderErrors | null>();

/** Remembers the first error that an application reports to its ErrorHandler during one render. */
export class RenderErrors {
  #first: { readonly error: unknown } | undefined;

  /** Follows the application's ErrorHandler, which keeps working as before. */
  watch(app: ApplicationRef): void {
    const handler = app.injector.get(ErrorHandler, null);
    if (handler === null) return;
    if (followed.has(handler)) {
      followed.set(handler, null);
      return;
    }
    followed.set(handler, this);
    const handle = handler.handleError;
    handler.handleError = function (this: ErrorHandler, error: unknown): void {
      followed.get(handler)?.record(error);
      handle.call(this, error);
    };
  }

  /** Throws the first error of this render, if there was one. */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first.error;
  }

  private record(error: unknown): void {
    if (!isNoRouteMatch(error)) this.#first ??= { error };
  }
}

function isNoRouteMatch(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NO_ROUTE_MATCHES;
}
