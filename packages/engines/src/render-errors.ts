import type { ApplicationRef, ErrorHandler, Injector, PlatformRef } from '@angular/core';
import { unhandledErrors } from '@ng-ssr/core/neutral';
import { followInjector } from './application-injector.ts';
import type { FastRender } from './fast/fast-path.ts';
import { findRouter, type FollowHandler } from './injector-contents.ts';
import { Slot } from './slot.ts';
import { isAngularsHandler, isNoRouteMatch, reportUnmatched } from './unmatched-paths.ts';

/**
 * Handlers already followed, with the errors of their render. Angular creates a handler per render; for one that the
 * application shares between renders (`useValue`) the value is null, and the render of an error is the current one.
 */
const followed = new Slot<ErrorHandler, RenderErrors | null>('errors');
/** By what the server gets the errors with: each render has its own. */
const ofRenders = new Slot<Leave, RenderErrors>('errors');

type Leave = (error: unknown) => void;

/** A thrown value, which may be undefined. */
interface Thrown {
  readonly error: unknown;
}

/** The `type` of the router's NavigationError. */
const NAVIGATION_ERROR = 3;

/**
 * Follows the errors of a render. Angular gives them to the application's ErrorHandler and completes the page: the
 * server reports them, sends the page and does not store it. With `failOnError` the first one fails the render. A
 * failed navigation fails it, too, where Angular has no page to send.
 */
export class RenderErrors {
  /** Undefined without a server: then only the ErrorHandler gets the errors. */
  readonly #leave: Leave | undefined;
  readonly #failOnError: boolean;
  readonly #fast: Pick<FastRender, 'isLacking'> | undefined;
  #failure: Thrown | undefined;
  /** The latest error of a navigation, which the ErrorHandler gets next. */
  #ofNavigation: Thrown | undefined;
  /** The error of a failed navigation, until it is known whether there is a page. */
  #navigation: Thrown | undefined;
  /** Errors before the application has started: with one of them it may not start. */
  #ofStart: unknown[] | undefined;
  #hasEnded = false;

  /**
   * Create one as each render begins.
   *
   * @param failOnError - The engine's option.
   * @param request - As the engine got it.
   * @param fast - Undefined for a render with Angular's own DOM.
   */
  constructor(failOnError: boolean, request: Request, fast?: FastRender) {
    this.#leave = unhandledErrors(request);
    if (this.#leave !== undefined) ofRenders.set(this.#leave, this);
    this.#failOnError = failOnError;
    this.#fast = fast;
  }

  /**
   * Starts an application and follows it.
   *
   * @param followHandlers - Follows the ErrorHandlers of an injector.
   */
  async start(
    platform: PlatformRef,
    bootstrap: () => Promise<ApplicationRef>,
    followHandlers: (injector: Injector, isOfRoute: boolean, follow: FollowHandler) => void,
  ): Promise<ApplicationRef> {
    this.#followEnd(platform);
    const follow: FollowHandler = (handler) => this.#followHandler(handler);
    followInjector(platform, (injector, isOfRoute) => followHandlers(injector, isOfRoute, follow));
    const ofStart: unknown[] = (this.#ofStart = []);
    let failure: Thrown | undefined;
    try {
      const app = await bootstrap();
      followHandlers(app.injector, false, follow);
      this.follow(app, []);
      return app;
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      this.#ofStart = undefined;
      for (const error of ofStart) if (!isThat(failure, error)) this.#leave?.(error);
    }
  }

  /** Angular waits for the end of a platform, and would wait for ever after an error of `ngOnDestroy`. */
  #followEnd(platform: PlatformRef): void {
    const destroy = platform.destroy;
    platform.destroy = () => {
      try {
        destroy.call(platform);
      } catch (error) {
        this.record(error);
      }
    };
  }

  /** Follows a started application and its ErrorHandlers. */
  follow(app: ApplicationRef, handlers: readonly ErrorHandler[]): void {
    for (const handler of handlers) this.#followHandler(handler);
    findRouter(app.injector)?.events.subscribe((event) => {
      if (event.type === NAVIGATION_ERROR && 'error' in event) {
        this.#ofNavigation = { error: event.error };
      }
    });
  }

  /** Whether the navigation has failed with an error, and no page is known yet. */
  get hasFailedNavigation(): boolean {
    return this.#navigation !== undefined;
  }

  /**
   * Notes the error of a navigation, which {@link settleNavigation} decides about.
   *
   * @throws It, if the page is rendered again.
   */
  failNavigation(error: unknown): void {
    if (this.isOfRepeated(error)) throw error;
    this.#navigation ??= { error };
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
      if (hasPage && !this.#failOnError) this.#leave?.(navigation.error);
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
    const value = function (this: ErrorHandler, error: unknown): void {
      const errors = followed.get(handler) ?? errorsOfCurrent();
      if (errors?.isOfRepeated(error) === true) return;
      const isReported = errors?.record(error) === true;
      if (isAngulars && isNoRouteMatch(error)) reportUnmatched(error);
      else if (!isAngulars || !isReported) handle.call(this, error);
    };
    // Not an assignment: its class may have a getter of that name.
    Object.defineProperty(handler, 'handleError', { value, writable: true, configurable: true });
  }

  /** Whether an error is that of a page which has used what the fast DOM lacks, and is rendered again. */
  isOfRepeated(error: unknown): boolean {
    return this.#fast?.isLacking === true && isLacking(error);
  }

  /** @returns whether the server reports the error. */
  record(error: unknown): boolean {
    if (isNoRouteMatch(error)) return false;
    const isOfNavigation = isThat(this.#ofNavigation, error);
    if (isOfNavigation) this.#ofNavigation = undefined;
    if (!this.#hasEnded) {
      if (this.#failOnError || isOfDevelopment(error)) {
        this.#failure ??= { error };
        return false;
      }
      if (isOfNavigation) {
        this.failNavigation(error);
        return this.#leave !== undefined;
      }
    }
    if (this.#ofStart === undefined) this.#leave?.(error);
    else this.#ofStart.push(error);
    return this.#leave !== undefined;
  }
}

/** The errors of the render whose code calls this; undefined where there is no asynchronous context. */
function errorsOfCurrent(): RenderErrors | undefined {
  const leave = unhandledErrors();
  return leave && ofRenders.get(leave);
}

function isThat(thrown: Thrown | undefined, error: unknown): boolean {
  return thrown !== undefined && Object.is(thrown.error, error);
}

/** Whether the server threw it in development: a developer must see it, and production has no such error. */
function isOfDevelopment(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NG_SSR_REQUEST_NOT_SHARED';
}

/** Whether the DOM of the fast path threw it. */
function isLacking(error: unknown): boolean {
  return error instanceof Error && error.name === 'DomUnsupportedError';
}
