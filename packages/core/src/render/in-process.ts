import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import type { SsrError } from '../errors.ts';
import { withErrors } from './cache-headers.ts';
import { renderInScope } from './render-scope.ts';
import { type EngineSource, type Rendered, renderWhole } from './render-whole.ts';
import type { Renderer } from './renderer.ts';
import { timesOf } from './thread-times.ts';
import { undefinedResponses } from './undefined-response.ts';

/** What a renderer on this thread needs. */
export interface InProcessOptions {
  readonly host: EngineSource;
  /** The option of the engine. */
  readonly failOnError: boolean;
  /** Called with each error that a render leaves unhandled. */
  readonly onError: (error: SsrError) => void;
}

/**
 * Renders on this thread. A render that times out goes on, since nothing can stop it, but its body is not
 * read further. Shared pages are rendered in the async context in which this function is called.
 */
export function renderInProcess({ host, failOnError, onError }: InProcessOptions): Renderer {
  const noteUndefined = undefinedResponses(onError);
  const runAtStart = AsyncLocalStorage.snapshot();
  return {
    render: (job, signal) => {
      const { isShared, name, request, calls } = job;
      const render = async (): Promise<Rendered | undefined> => {
        let hasErrors = false;
        const rendered = await renderInScope(() => renderWhole(host, job, signal, noteUndefined), {
          name,
          url: request.url,
          failOnError,
          onUnhandled: (error) => {
            hasErrors = true;
            onError(error);
          },
          onNotice: onError,
          calls,
          signal,
        });
        return rendered && hasErrors ? withErrors(rendered) : rendered;
      };
      if (!isShared) return render();
      // Each render has its own resource: a store that it enters (`enterWith`) must not stay for the next.
      return runAtStart(() => new AsyncResource('ng-ssr:render').runInAsyncScope(render));
    },
    admitConnections,
    minConcurrency: 1,
    times: timesOf,
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** The longest time that a render waits for connections. */
const MOST_WAIT_MS = 20;
/** A connection is accepted in one turn of the event loop, and its request is read in the next. */
const QUIET_TURNS = 2;

let accepted = 0;
let isCounting = false;
let last: Promise<unknown> = Promise.resolve();

/**
 * Accepts the pending connections and reads their requests before a render starts on the main thread. Node
 * accepts one connection per turn of the event loop, and a render takes a turn, so a server under load would
 * otherwise accept hardly any connection, not even to answer it from memory.
 *
 * @returns whether connections may still be pending.
 */
function admitConnections(): Promise<boolean> {
  // One after another: several renders that start in one turn would make it one long turn.
  const admitted = last.then(untilQuiet);
  last = admitted;
  return admitted;
}

async function untilQuiet(): Promise<boolean> {
  if (!isCounting) subscribe('net.server.socket', () => accepted++);
  isCounting = true;
  const sinceMs = performance.now();
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    const before = accepted;
    await turn();
    quiet = accepted === before ? quiet + 1 : 0;
    if (performance.now() - sinceMs > MOST_WAIT_MS) return quiet === 0;
  }
  return false;
}
