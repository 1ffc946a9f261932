import type { ApplicationRef, ErrorHandler } from '@angular/core';
import { unhandledErrors } from '@ng-ssr/core/neutral';
import { reportMissing } from './angular-internals.ts';
import type { FastRender } from './fast/fast-path.ts';
import { findRouter } from './injector-contents.ts';
import { Slot } from './slot.ts';
import { isAngularsHandler, isNoRouteMatch, reportUnmatched } from './unmatched-paths.ts';

/**
 * Handlers already followed, with the errors of their render. Angular creates a handler per render; for
 * one that the application shares between renders (`useValue`) the render of an error is unknown, and
 * the value is null.
 */
const followed = new Slot<ErrorHandler, RenderErrors | null>('errors');

/** A thrown value, which may be undefined. */
interface Thrown {
  readonly error: unknown;
}

/** The `type` of the router's NavigationError. */
const NAVIGATION_ERROR = 3;

/**
 * Decides by their origin which errors fail a render. An error in change detection leaves the component
 * tree unfinished, and fails the render. A failed navigation fails it unless another one leads to a page.
 * Other errors that the ErrorHandler gets, from a subscription or the async pipe, are left unhandled in a
 * complete page: the server reports them and does not store the page.
 */
export class RenderErrors {
  /** Undefined without a server: then only the ErrorHandler gets the errors. */
  readonly #leave: ((error: unknown) => void) | undefined;
  readonly #failOnError: boolean | undefined;
  readonly #fast: Pick<FastRender, 'isLacking'> | undefined;
  #failure: Thrown | undefined;
  /** The latest error of change detection, or of a navigation, which the ErrorHandler gets next. */
  #ofTree: Thrown | undefined;
  #ofNavigation: Thrown | undefined;
  /** The error of a failed navigation, until it is known whether there is a page. */
  #navigation: Thrown | undefined;
  #hasEnded = false;

  /**
   * Create one as each render begins.
   *
   * @param failOnError - The engine's option.
   * @param request - As the engine got it.
   * @param fast - Undefined for a render with Angular's own DOM.
   */
  constructor(failOnError: boolean | undefined, request: Request, fast?: FastRender) {
    this.#leave = unhandledErrors(request);
    this.#failOnError = failOnError;
    this.#fast = fast;
  }

  /** Follows a started application and its ErrorHandlers. */
  follow(app: ApplicationRef, handlers: readonly ErrorHandler[]): void {
    for (const handler of handlers) this.#followHandler(handler);
    this.#followChangeDetection(app);
    findRouter(app.injector)?.events.subscribe((event) => {
      if (event.type === NAVIGATION_ERROR && 'error' in event) {
        this.#ofNavigation = { error: event.error };
      }
    });
  }

  /** Throws the error that has failed the render, if there is one. */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Records the outcome of the navigation.
   *
   * @param hasPage - Whether there is a page, or a redirect.
   * @throws The error that fails the render.
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
   * Ends the render: later errors are those of a complete page.
   *
   * @throws The error that fails the render.
   */
  end(): void {
    this.#hasEnded = true;
    this.settleNavigation(true);
  }

  /**
   * The handler works as before, but Angular's own does not print errors that the server has reported, and
   * paths without a route are reported in one line from time to time.
   */
  #followHandler(handler: ErrorHandler): void {
    const owner = followed.get(handler);
    if (owner === this) return;
    followed.set(handler, owner === undefined ? this : null);
    if (owner !== undefined) return;
    const handle = handler.handleError;
    const isAngulars = isAngularsHandler(handler);
    handler.handleError = function (this: ErrorHandler, error: unknown): void {
      const errors = followed.get(handler);
      if (errors?.isOfRepeated(error) === true) return;
      const isReported = errors?.record(error) === true;
      if (isAngulars && isNoRouteMatch(error)) reportUnmatched(error);
      else if (!isAngulars || !isReported) handle.call(this, error);
    };
  }

  /** All change detection of Angular calls this method. */
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

  /** Whether an error is that of a page which has used what the fast DOM lacks, and is rendered again. */
  isOfRepeated(error: unknown): boolean {
    return this.#fast?.isLacking === true && isLacking(error);
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

/** Whether the DOM of the fast path threw it. */
function isLacking(error: unknown): boolean {
  return error instanceof Error && error.name === 'DomLacksError';
}
