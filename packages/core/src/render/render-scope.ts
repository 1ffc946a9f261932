import { platform } from '#platform';
import { withAdvice } from '../browser-globals.ts';
import { describeBriefly } from '../describe-error.ts';
import { SsrError } from '../errors.ts';
import { noteStart } from '../failed-start.ts';
import { withoutSecrets } from '../without-secrets.ts';
import type { CallMaker } from './call.ts';
import { catchCalls } from './catch-calls.ts';
import { ownBundle } from './locale-bundle.ts';
import { notingCalls, watchUnsafeCalls } from './unsafe-calls.ts';

/** A render, as the code that it has started finds it in its async context. */
interface Scope {
  readonly name: string;
  readonly url: string;
  /** Errors of this render that were reported: an error may arrive in more than one way. */
  readonly reported: WeakSet<object>;
  readonly onUnhandled: (error: SsrError) => void;
  readonly onNotice: (error: SsrError) => void;
  calls: CallMaker | undefined;
  /** Fails the render; undefined once it has ended. */
  fail: ((cause: unknown) => void) | undefined;
  /** What {@link unhandledErrors} has returned for it. */
  leave: ((error: unknown) => void) | undefined;
}

const scopes =
  (ownBundle?.scopes as ReturnType<typeof platform.createContext<Scope | undefined>> | undefined) ??
  platform.createContext<Scope | undefined>();
/** The renders in flight, and the last one started: for runtimes that do not say which one has failed. */
const running = new Set<Scope>();
let latest: Scope | undefined;
let isWatching = false;
/** The scopes of {@link attributeToRequest}. */
const requests = new WeakMap<Request, Scope>();

/** Errors thrown by `process.exit`: each has already failed its render or been reported. */
const exits = new WeakSet<object>();

/** How uncaught errors of a render are handled. */
export interface ScopeOptions {
  /** Method and target, for messages. */
  readonly name: string;
  /** The URL that is rendered, for messages. */
  readonly url: string;
  /**
   * The engine's option: whether an uncaught error fails the render. Else it is reported and the page is sent. A call
   * of `process.exit` always fails it.
   */
  readonly failOnError: boolean;
  /** Called with each unhandled error that does not fail the render. */
  readonly onUnhandled: (error: SsrError) => void;
  /** Called with what the engine reports of itself: the page may still be stored. */
  readonly onNotice: (error: SsrError) => void;
  /** Makes the calls of the render; undefined leaves them to the runtime's `fetch`. */
  readonly calls: CallMaker | undefined;
  /** Aborts when the render times out: it may never end, and no longer counts as in flight. */
  readonly signal: AbortSignal;
}

type ReportingSource = Pick<ScopeOptions, 'name' | 'url' | 'onUnhandled'>;

/**
 * Attributes uncaught errors to their render: an uncaught exception or an unhandled rejection in code that
 * the render has started is reported with its route, or fails the render if `failOnError` says so, and the
 * process lives.
 *
 * `process.exit` is treated in the same way, and throws, also in a timer that outlives the render. Errors and
 * exits of other code, and of signal listeners, keep Node's own behaviour.
 */
export function renderInScope<T>(
  render: () => Promise<T>,
  { name, url, failOnError, onUnhandled, onNotice, calls, signal }: ScopeOptions,
): Promise<T> {
  watchProcess();
  // Uncaught errors may be those of pages now, which end no process.
  noteStart();
  return new Promise<T>((resolve, reject) => {
    const scope: Scope = {
      name,
      url,
      reported: new WeakSet(),
      onUnhandled,
      onNotice,
      calls: calls && notingCalls(calls),
      fail: (cause) => {
        const isExit = exits.has(Object(cause) as object);
        if (!isExit && !failOnError) return report(scope, cause);
        end(
          reject,
          new SsrError('NG_SSR_RENDER_FAILED', withAdvice(`${name} failed`, cause), { cause }),
        );
      },
      leave: undefined,
    };
    running.add(scope);
    latest = scope;
    const forget = (): boolean => running.delete(scope);
    signal.addEventListener('abort', forget, { once: true });
    const end = <Outcome>(settle: (outcome: Outcome) => void, outcome: Outcome): void => {
      forget();
      // The signal may be one of all renders.
      signal.removeEventListener('abort', forget);
      scope.fail = undefined;
      settle(outcome);
    };
    scopes.run(scope, render).then(
      (rendered) => end(resolve, rendered),
      (error: unknown) => end(reject, error),
    );
  });
}

/**
 * For platforms without asynchronous context, which do not tell which render has left an error uncaught: the errors
 * of a render are those that its engine attributes to its request.
 */
export function attributeToRequest(request: Request, source: ReportingSource): void {
  requests.set(request, toReportingScope(source));
}

/** Has `fetch` in renders made by their makers of calls: from now on, also in code that keeps a reference to it. */
export function catchCallsOfRenders(): void {
  catchCalls(callingRender);
}

function callingRender(): { readonly url: string; readonly calls: CallMaker } | undefined {
  const scope = scopes.getStore();
  return scope?.calls && { url: scope.url, calls: scope.calls };
}

/** For bundles of other locales, in which renders of this one run. */
export function scopesOfRenders(): unknown {
  return scopes;
}

/** Runs code that a render causes and that is not a part of it, such as a route of the server's own. */
export function runOutsideRender<T>(run: () => T): T {
  // Deno's `exit` ends with the synchronous part.
  return scopes.run(undefined, run);
}

/**
 * Returns a function that runs code of no render whose errors cannot all be caught: they are reported, and the process
 * lives. In Node a connection of `fetch` throws one when it ends after a response that `fetch` has refused.
 */
export function reportingScope(source: ReportingSource): <T>(run: () => T) => T {
  watchProcess();
  const scope = toReportingScope(source);
  return (run) => scopes.run(scope, run);
}

function toReportingScope({ name, url, onUnhandled }: ReportingSource): Scope {
  return {
    ...{ name, url, reported: new WeakSet(), onUnhandled, onNotice: onUnhandled },
    ...{ calls: undefined, fail: undefined, leave: undefined },
  };
}

/**
 * A listener for `uncaughtException` would disable Node's default for all other errors, so the event is
 * intercepted before it reaches the listeners.
 */
function watchProcess(): void {
  if (isWatching) return;
  isWatching = true;

  // These runtimes call the listeners without `process.emit`.
  if ('Bun' in globalThis || 'Deno' in globalThis) {
    process.on('uncaughtException', settleUncaught).on('unhandledRejection', settleUncaught);
  }

  const emit = process.emit as (event: string | symbol, ...args: unknown[]) => boolean;
  process.emit = function (this: unknown, event: string | symbol, ...args: unknown[]): boolean {
    const scope = scopes.getStore();
    if (scope === undefined) return Reflect.apply(emit, this, [event, ...args]);
    if (event === 'uncaughtException' || event === 'unhandledRejection') {
      if (!exits.has(Object(args[0]) as object)) settle(scope, args[0]);
      return true;
    }
    // A signal is emitted in the async context of its first listener, which may be a page's. It concerns the
    // process, so its listeners may end the process.
    return runOutsideRender(() => Reflect.apply(emit, this, [event, ...args]));
  } as typeof process.emit;

  const exit = process.exit;
  process.exit = function (this: unknown, code?: number | string | null): never {
    const scope = scopes.getStore();
    if (scope === undefined) return Reflect.apply(exit, this, [code]) as never;
    const error = new Error(`${withoutSecrets(scope.name)} called process.exit(${code ?? ''})`);
    exits.add(error);
    settle(scope, error);
    throw error;
  };
}

/**
 * Bun keeps no async context for rejections, and Deno none for exceptions in timers. An error without one is
 * attributed to the only render in flight. If there are more or none it is reported: it may be a page's error
 * or the server's, and no page may end the server.
 */
function settleUncaught(cause: unknown): void {
  if (exits.has(Object(cause) as object)) return;
  const [first, second] = running;
  const scope = scopes.getStore() ?? (second === undefined ? first : undefined);
  if (scope !== undefined) return settle(scope, cause);
  const message = 'an uncaught error in a page or in the server; the runtime does not say which';
  runOutsideRender(() =>
    latest!.onUnhandled(new SsrError('NG_SSR_ERROR_UNHANDLED', message, { cause })),
  );
}

function settle(scope: Scope, cause: unknown): void {
  if (scope.fail === undefined) report(scope, cause);
  else scope.fail(cause);
}

/**
 * Reports an error, also after the render: what it has set up, such as a database client, may long outlive
 * it.
 */
function report(scope: Scope, cause: unknown): void {
  const { name, url, reported } = scope;
  if (cause instanceof Object) {
    if (reported.has(cause)) return;
    reported.add(cause);
  }
  const brief = `${name} (${url}) has left an error unhandled: ${describeBriefly(cause)}`;
  const message = withAdvice(brief, cause);
  const error = new SsrError('NG_SSR_ERROR_UNHANDLED', message, { cause });
  // Outside the scope, since `onUnhandled` may end the process and a page may not.
  runOutsideRender(() => scope.onUnhandled(error));
}

/**
 * For engines: returns a function that reports errors in spite of which the page is rendered. Each is
 * reported through `onError` with the page's route and URL, and the page is sent, but not stored. Call it
 * in the render's async context: each call returns the same function there, which may be called at any time, also after
 * the page is complete.
 *
 * @param request - As the engine got it: on platforms without asynchronous context it alone names the render.
 * @returns undefined if no server has started the render.
 */
export function unhandledErrors(request?: Request): ((error: unknown) => void) | undefined {
  const scope = scopes.getStore() ?? (request && requests.get(request));
  return scope && (scope.leave ??= (error) => report(scope, error));
}

/** What a server tells the engine of one of its renders. */
export interface CurrentRender {
  /**
   * The latest call that the process has sent since this render began and that must not be sent twice (RFC 9110 section
   * 9.2.1): its method and address. Undefined if the server has seen none.
   */
  unsafeCall(): string | undefined;
  /** Reports something that concerns the engine, not the page: `onError` gets it, and the page may be stored. */
  notice(error: SsrError): void;
}

/**
 * For engines: the render whose code calls this. Call it when a render starts, in the render's async context.
 *
 * @returns undefined if no server has started the render.
 */
export function currentRender(): CurrentRender | undefined {
  const scope = scopes.getStore();
  if (scope === undefined) return undefined;
  return {
    unsafeCall: watchUnsafeCalls(),
    notice: (error) => runOutsideRender(() => scope.onNotice(error)),
  };
}
