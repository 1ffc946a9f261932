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
let isWatching = false;

/** Who hears of a render's errors. */
export interface ScopeOptions {
  /** Method and target, for messages. */
  readonly name: string;
  /** Whether an error that nobody catches fails the render. */
  readonly failsOnStray: boolean;
  /** Hears of each error that nobody catches, where it does not fail the render. */
  readonly onStray: (error: SsrError) => void;
}

/**
 * Renders so that what nobody catches is the render's own failure: an uncaught exception or an
 * unhandled rejection in code that the render has started fails the render, or is reported when it
 * has ended, and the process lives. `process.exit` throws while the render is under way. Errors of
 * others have Node's own treatment.
 */
export function renderInScope<T>(
  render: () => Promise<T>,
  { name, failsOnStray, onStray }: ScopeOptions,
): Promise<T> {
  watchProcess();
  return new Promise<T>((resolve, reject) => {
    const scope: Scope = {
      name,
      onStray,
      fail: (cause) => {
        if (!failsOnStray) return report(scope, cause);
        scope.fail = undefined;
        reject(new SsrError('NG_SSR_RENDER_FAILED', `${name} failed`, { cause }));
      },
    };
    const end = <Outcome>(settle: (outcome: Outcome) => void, outcome: Outcome): void => {
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

  const emit = process.emit as (event: string | symbol, ...args: unknown[]) => boolean;
  process.emit = function (this: unknown, event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'uncaughtException' || event === 'unhandledRejection') {
      const scope = scopes.getStore();
      if (scope !== undefined) {
        settle(scope, args[0]);
        return true;
      }
    }
    return Reflect.apply(emit, this, [event, ...args]);
  } as typeof process.emit;

  const exit = process.exit;
  process.exit = function (this: unknown, code?: number | string | null): never {
    const scope = scopes.getStore();
    // When it has ended, its context lives on in what it has set up: a handler of signals, say.
    if (scope?.fail === undefined) return Reflect.apply(exit, this, [code]) as never;
    const error = new Error(`${scope.name} called process.exit(${code ?? ''})`);
    scope.fail(error);
    throw error;
  };
}

function settle(scope: Scope, cause: unknown): void {
  if (scope.fail === undefined) report(scope, cause);
  else scope.fail(cause);
}

/** Each of them: what a render has set up, a client of a database say, may outlive it for long. */
function report(scope: Scope, cause: unknown): void {
  const message = `${scope.name} has left behind an error that nobody caught`;
  scope.onStray(new SsrError('NG_SSR_RENDER_FAILED', message, { cause }));
}
