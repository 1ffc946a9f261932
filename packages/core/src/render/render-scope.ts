import { AsyncLocalStorage } from 'node:async_hooks';
import { describeBriefly } from '../describe-error.ts';
import { SsrError } from '../errors.ts';

/** A render, as whatever it has started finds it. */
interface Scope {
  readonly name: string;
  readonly url: string;
  /** What has been reported of this render: an error may come by more than one way. */
  readonly reported: WeakSet<object>;
  readonly onStray: (error: SsrError) => void;
  /** Fails the render; undefined once it has ended. */
  fail: ((cause: unknown) => void) | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();
/** The renders under way, and the last to begin: needed where a runtime does not say which has failed. */
const running = new Set<Scope>();
let latest: Scope | undefined;
let isWatching = false;

/** What `process.exit` has thrown: the render has failed of it, or it is reported. */
const exits = new WeakSet<object>();

/** What becomes of a render's uncaught errors. */
export interface ScopeOptions {
  /** Method and target, for messages. */
  readonly name: string;
  /** The URL that is rendered, for messages. */
  readonly url: string;
  /**
   * The engine's: with `true` an uncaught error fails the render, else it is reported and the page
   * answered. `process.exit` fails it unless this is `false`.
   */
  readonly failOnError: boolean | undefined;
  /** Called with each unhandled error that does not fail the render. */
  readonly onStray: (error: SsrError) => void;
  /** Aborts when the render is given up: it may never end, and is not under way any more. */
  readonly signal: AbortSignal;
}

/**
 * Lays uncaught errors to the render that they belong to: an uncaught exception or an unhandled rejection
 * in code that the render has started is reported with its route, or fails the render where
 * `failOnError` says so, and the process lives.
 * `process.exit` does the same, and throws, also in a timer that the render has left behind. Errors and
 * exits of other code, and of listeners to signals, have Node's own treatment.
 */
export function renderInScope<T>(
  render: () => Promise<T>,
  { name, url, failOnError, onStray, signal }: ScopeOptions,
): Promise<T> {
  watchProcess();
  return new Promise<T>((resolve, reject) => {
    const scope: Scope = {
      name,
      url,
      reported: new WeakSet(),
      onStray,
      fail: (cause) => {
        const isExit = exits.has(Object(cause) as object);
        const isFailure = isExit ? failOnError !== false : failOnError === true;
        if (!isFailure) return report(scope, cause);
        end(reject, new SsrError('NG_SSR_RENDER_FAILED', `${name} failed`, { cause }));
      },
    };
    running.add(scope);
    latest = scope;
    signal.addEventListener('abort', () => running.delete(scope), { once: true });
    const end = <Outcome>(settle: (outcome: Outcome) => void, outcome: Outcome): void => {
      running.delete(scope);
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
 * A listener of our own for `uncaughtException` would end Node's default for every other error, so
 * the event is looked at before anybody gets it.
 */
function watchProcess(): void {
  if (isWatching) return;
  isWatching = true;

  // They hand errors to listeners without `process.emit`.
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
    // A signal comes in the context of the first to listen to it, which may be a page; it is for the
    // process, and so may its listeners end that.
    return scopes.exit(() => Reflect.apply(emit, this, [event, ...args]));
  } as typeof process.emit;

  const exit = process.exit;
  process.exit = function (this: unknown, code?: number | string | null): never {
    const scope = scopes.getStore();
    if (scope === undefined) return Reflect.apply(exit, this, [code]) as never;
    const error = new Error(`${scope.name} called process.exit(${code ?? ''})`);
    exits.add(error);
    settle(scope, error);
    throw error;
  };
}

/**
 * Bun keeps no context for rejections, and Deno none for exceptions in timers. What has none is laid to
 * the only render under way, and where there are more or none it is reported: nothing tells a page's
 * error from the server's, and no page may end that.
 */
function settleUncaught(cause: unknown): void {
  if (exits.has(Object(cause) as object)) return;
  const [first, second] = running;
  const scope = scopes.getStore() ?? (second === undefined ? first : undefined);
  if (scope !== undefined) return settle(scope, cause);
  const message =
    'an error that nobody caught, in a page or in the server: the runtime says no more';
  scopes.exit(() => latest!.onStray(new SsrError('NG_SSR_ERROR_UNHANDLED', message, { cause })));
}

function settle(scope: Scope, cause: unknown): void {
  if (scope.fail === undefined) report(scope, cause);
  else scope.fail(cause);
}

/** Each of them: what a render has set up, a client of a database say, may outlive it for long. */
function report(scope: Scope, cause: unknown): void {
  const { name, url, reported } = scope;
  if (cause instanceof Object) {
    if (reported.has(cause)) return;
    reported.add(cause);
  }
  const message = `${name} (${url}) has left an error unhandled: ${describeBriefly(cause)}`;
  const error = new SsrError('NG_SSR_ERROR_UNHANDLED', message, { cause });
  // It may end the process, as no page may.
  scopes.exit(() => scope.onStray(error));
}

/**
 * For engines: what takes the errors that a page is rendered in spite of. Each is reported through
 * `onError` with the page's route and URL, and the page is answered, but not stored. To be called as a
 * render begins, on its own way; the result may be called at any time, also after the page is complete.
 *
 * @returns undefined where no server has begun the render.
 */
export function unhandledErrors(): ((error: unknown) => void) | undefined {
  const scope = scopes.getStore();
  return scope && ((error) => report(scope, error));
}
