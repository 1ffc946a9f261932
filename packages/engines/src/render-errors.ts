import type { ApplicationRef, ErrorHandler } from '@angular/core';
import { unhandledErrors } from '@ng-ssr/core';
import { reportMissing } from './angular-internals.ts';
import { findRouter } from './injector-contents.ts';
import { isAngularsHandler, isNoRouteMatch, reportUnmatched } from './unmatched-paths.ts';

/**
 * Handlers already followed, with the errors of the render they belong to. Angular makes a handler
 * per render; one that the application shares between renders (`useValue`) cannot tell whose error
 * it is given and is marked by null.
 */
const followed = new WeakMap<ErrorHandler, RenderErrors | null>();

/** What was thrown; it may be undefined. */
interface Thrown {
  readonly error: unknown;
}

/** The `type` of the router's NavigationError. */
const NAVIGATION_ERROR = 3;

/**
 * Decides what the errors of one render mean, by where they come from. Change detection that throws
 * leaves the component tree unfinished, and fails the render. A navigation that fails does so where no
 * other one leads to a page. What else the ErrorHandler is given, by a subscription or the async pipe,
 * is left unhandled in a page that is complete: the server reports it and does not store the page.
 */
export class RenderErrors {
  /** Undefined where no server asks: then the ErrorHandler alone knows of them. */
  readonly #leave = unhandledErrors();
  readonly #failOnError: boolean | undefined;
  #failure: Thrown | undefined;
  /** What change detection, or a navigation, has thrown last: the ErrorHandler is given it next. */
  #ofTree: Thrown | undefined;
  #ofNavigation: Thrown | undefined;
  /** A failed navigation, until it is known whether there is a page. */
  #navigation: Thrown | undefined;
  #hasEnded = false;

  /** @param failOnError - The engine's option. To be made as a render begins. */
  constructor(failOnError: boolean | undefined) {
    this.#failOnError = failOnError;
  }

  /** Follows an application that has started, and what it provides as ErrorHandler. */
  follow(app: ApplicationRef, handlers: readonly ErrorHandler[]): void {
    for (const handler of handlers) this.#followHandler(handler);
    this.#followChangeDetection(app);
    findRouter(app.injector)?.events.subscribe((event) => {
      if (event.type === NAVIGATION_ERROR && 'error' in event) {
        this.#ofNavigation = { error: event.error };
      }
    });
  }

  /** Throws what fails the render so far, if anything does. */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Says where the navigation has led.
   *
   * @param hasPage - Whether there is a page, or a redirect.
   * @throws What fails the render.
   */
  settleNavigation(hasPage: boolean): void {
    const navigation = this.#navigation;
    this.#navigation = undefined;
    if (navigation !== undefined) {
      if (hasPage || this.#failOnError === false) this.#leave?.(navigation.error);
      else this.#failure ??= navigation;
    }
    this.throwFailure();
  }

  /**
   * Ends the render: what comes now is of a page that is complete.
   *
   * @throws What fails the render.
   */
  end(): void {
    this.#hasEnded = true;
    this.settleNavigation(true);
  }

  /**
   * The handler keeps working as before; but Angular's own does not print once more what the server has
   * reported, and of paths without a route it prints a line from time to time.
   */
  #followHandler(handler: ErrorHandler): void {
    const owner = followed.get(handler);
    if (owner === this) return;
    followed.set(handler, owner === undefined ? this : null);
    if (owner !== undefined) return;
    const handle = handler.handleError;
    const isAngulars = isAngularsHandler(handler);
    handler.handleError = function (this: ErrorHandler, error: unknown): void {
      const isReported = followed.get(handler)?.record(error) === true;
      if (isAngulars && isNoRouteMatch(error)) reportUnmatched(error);
      else if (!isAngulars || !isReported) handle.call(this, error);
    };
  }

  /** Every way of Angular to detect changes comes to this one method. */
  #followChangeDetection(app: ApplicationRef): void {
    const detecting = app as unknown as { _tick?: () => void };
    const tick = detecting._tick;
    if (tick === undefined) return reportMissing('ApplicationRef#_tick');
    detecting._tick = () => {
      try {
        tick.call(app);
      } catch (error) {
        this.#ofTree = { error };
        throw error;
      }
    };
  }

  /** @returns whether the server has reported the error. */
  record(error: unknown): boolean {
    if (isNoRouteMatch(error)) return false;
    const isOfTree = isThat(this.#ofTree, error);
    const isOfNavigation = isThat(this.#ofNavigation, error);
    if (isOfTree) this.#ofTree = undefined;
    if (isOfNavigation) this.#ofNavigation = undefined;
    if (!this.#hasEnded) {
      if (this.#failOnError === true || (isOfTree && this.#failOnError === undefined)) {
        this.#failure ??= { error };
        return false;
      }
      if (isOfNavigation) {
        this.#navigation ??= { error };
        return false;
      }
    }
    this.#leave?.(error);
    return this.#leave !== undefined;
  }
}

function isThat(thrown: Thrown | undefined, error: unknown): boolean {
  return thrown !== undefined && Object.is(thrown.error, error);
}
