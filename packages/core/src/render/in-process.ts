import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { RenderEngine } from '../engine.ts';
import type { SsrError } from '../errors.ts';
import { admitConnections } from './admit-connections.ts';
import { renderInScope } from './render-scope.ts';
import { type Rendered, renderWhole } from './render-whole.ts';
import type { Renderer } from './renderer.ts';
import { timesOf } from './thread-times.ts';

/** What a renderer on this thread needs. */
export interface InProcessOptions {
  /** The engine, set up. */
  readonly engine: () => RenderEngine;
  /** The engine's. */
  readonly failOnError: boolean | undefined;
  /** Called with each error that a render leaves behind. */
  readonly onError: (error: SsrError) => void;
}

/**
 * Renders on this thread. A render that is given up goes on, since nothing can stop it; its body is
 * read no further. Shared pages are rendered in the async context in which this function is called.
 */
export function renderInProcess({ engine, failOnError, onError }: InProcessOptions): Renderer {
  const runAtStart = AsyncLocalStorage.snapshot();
  return {
    render: (job, signal) => {
      const { isShared, name, request } = job;
      const render = async (): Promise<Rendered | undefined> => {
        let hasErrors = false;
        const rendered = await renderInScope(() => renderWhole(engine, job, signal), {
          name,
          url: request.url,
          failOnError,
          onStray: (error) => {
            hasErrors = true;
            onError(error);
          },
          signal,
        });
        return rendered && hasErrors ? withErrors(rendered) : rendered;
      };
      if (!isShared) return render();
      // A resource of its own: what one render enters (`enterWith`) must not stay for the next.
      return runAtStart(() => new AsyncResource('ng-ssr:render').runInAsyncScope(render));
    },
    admitConnections,
    leastPlaces: 1,
    times: () => timesOf(),
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Fields by which a page lets itself be stored. */
const OF_CACHES = ['cdn-cache-control', 'surrogate-control', 'expires', 'etag', 'last-modified'];

/** Marks a page with unhandled errors: it is answered, but no cache may store it, this server's or another. */
function withErrors({ response, body }: Rendered): Rendered {
  const headers = new Headers(response.headers);
  for (const name of OF_CACHES) headers.delete(name);
  headers.set('cache-control', 'no-store');
  return { response: { status: response.status, headers }, body, hasErrors: true };
}
