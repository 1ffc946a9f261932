import { isPromise } from '@ng-ssr/core/adapter';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeMiddleware } from './adapter/ssr-pipeline.ts';

/**
 * Runs Connect-style middleware in order; each calls `next` to go on, or answers itself.
 *
 * @param done - Called after the last, or with the error that one of them threw, rejected with or
 * passed to `next`; called again when a middleware fails after its `next`.
 */
export function runMiddleware(
  middleware: readonly NodeMiddleware[],
  request: IncomingMessage,
  response: ServerResponse,
  done: (error?: unknown) => void,
): void {
  let at = -1;
  const run = (index: number): void => {
    const current = middleware[index];
    if (current === undefined) return done();
    const next = (error?: unknown): void => {
      const hasFailed = error !== undefined && error !== null;
      // A second call from the same middleware must not answer the request twice.
      const isFirst = at === index;
      if (isFirst) at = -1;
      if (hasFailed) done(error);
      else if (isFirst) run(index + 1);
    };
    at = index;
    try {
      const result = current(request, response, next);
      if (isPromise(result)) result.then(undefined, next);
    } catch (error) {
      next(error);
    }
  };
  run(0);
}
