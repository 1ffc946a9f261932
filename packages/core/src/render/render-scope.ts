import { AsyncLocalStorage } from 'node:async_hooks';
import { SsrError } from '../errors.ts';

/** A render, as whatever it has started finds it. */
interface Scope {
  readonly name: string;
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
  /** Whether an uncaught error fails the render. */
  readonly failsOnStray: boolean;
  /** Called with each uncaught error that does not fail the render. */
  readonly onStray: (error: SsrError) => void;
  /** Aborts when the render is given up: it may never end, and is not under way any more. */
  readonly signal: AbortSignal;
}

/**
 * Makes uncaught errors a render's own failure: an uncaught exception or an unhandled rejection in code
 * that the render has started fails the render, or is reported when it has ended, and the process lives.
 * `process.exit` does the same, and throws, also in a timer that the render has left behind. Errors and
 * exits of other code, and of listeners to signals, have Node's own treatment.
 */
export function renderInScope<T>(
  render: () => Promise<T>,
  { name, failsOnStray, onStray, signal }: ScopeOptions,
): Promise<T> {
  watchProcess();
  return new Promise<T>((resolve, reject) => {
    const scope: Scope = {
      name,
      onStray,
      fail: (cause) => {
        if (!failsOnStray) return report(scope, cause);
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
  scopes.exit(() => latest!.onStray(new SsrError('NG_SSR_RENDER_FAILED', message, { cause })));
}

function settle(scope: Scope, cause: unknown): void {
  if (scope.fail === undefined) report(scope, cause);
  else scope.fail(cause);
}

/** Each of them: what a render has set up, a client of a database say, may outlive it for long. */
function report(scope: Scope, cause: unknown): void {
  const message = `${scope.name} has left behind an error that nobody caught`;
  const error = new SsrError('NG_SSR_RENDER_FAILED', message, { cause });
  // It may end the process, as no page may.
  scopes.exit(() => scope.onStray(error));
}
