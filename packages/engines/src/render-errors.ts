import type { ErrorHandler } from '@angular/core';
import { isAngularsHandler, isNoRouteMatch, reportUnmatched } from './unmatched-paths.ts';

/**
 * Handlers already followed, with the errors of the render they belong to. Angular makes a handler
 * per render; one that the application shares between renders (`useValue`) cannot tell whose error
 * it is given and is marked by null.
 */
const followed = new WeakMap<ErrorHandler, RenderErrors | null>();

/** Remembers the first error that an application gives to its ErrorHandler during one render. */
export class RenderErrors {
  private first: { readonly error: unknown } | undefined;

  /** @param failOnError - Whether there is anything to remember. */
  constructor(private readonly failOnError: boolean) {}

  /**
   * Follows an ErrorHandler, which keeps working as before; but of paths without a route, Angular's own
   * prints a line from time to time in place of a stack for each.
   */
  follow(handler: ErrorHandler): void {
    const owner = followed.get(handler);
    if (owner === this) return;
    followed.set(handler, owner === undefined ? this : null);
    if (owner !== undefined) return;
    const handle = handler.handleError;
    const isAngulars = isAngularsHandler(handler);
    handler.handleError = function (this: ErrorHandler, error: unknown): void {
      followed.get(handler)?.record(error);
      if (isAngulars && isNoRouteMatch(error)) reportUnmatched(error);
      else handle.call(this, error);
    };
  }

  /** Throws the first error of this render, if there was one. */
  throwFirst(): void {
    if (this.first !== undefined) throw this.first.error;
  }

  private record(error: unknown): void {
    if (this.failOnError && !isNoRouteMatch(error)) this.first ??= { error };
  }
}
