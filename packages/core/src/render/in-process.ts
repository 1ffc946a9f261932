import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { SsrError } from '../errors.ts';
import { admitConnections } from './admit-connections.ts';
import { withErrors } from './cache-fields.ts';
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
