import type { SsrError } from '../errors.ts';
import { withErrors } from './cache-headers.ts';
import { attributeToRequest } from './render-scope.ts';
import { type EngineSource, renderWhole } from './render-whole.ts';
import type { Renderer } from './renderer.ts';
import { undefinedResponses } from './undefined-response.ts';

/**
 * Renders on a platform that runs requests in isolates of its own: it alone limits them, and attributes uncaught
 * errors to the request.
 *
 * @param onError - Called with each error that a render leaves unhandled.
 */
export function renderInIsolate(host: EngineSource, onError: (error: SsrError) => void): Renderer {
  const noteUndefined = undefinedResponses(onError);
  return {
    async render(job, signal) {
      const { name, request } = job;
      let hasErrors = false;
      const onUnhandled = (error: SsrError): void => {
        hasErrors = true;
        onError(error);
      };
      attributeToRequest(request, { name, url: request.url, onUnhandled });
      const rendered = await renderWhole(host, job, signal, noteUndefined);
      return rendered && hasErrors ? withErrors(rendered) : rendered;
    },
    minConcurrency: 1,
    times: () => NOT_MEASURED,
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const NOT_MEASURED = { activeMs: 0, idleMs: 0 };
