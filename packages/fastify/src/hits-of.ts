import type { Hits } from '@ng-ssr/node/adapter';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';

/** Hooks that no request runs, and that add nothing to routes. */
const OF_START_AND_END: ReadonlySet<string> = new Set([
  'onReady',
  'onListen',
  'preClose',
  'onClose',
]);

/** Where hits come on an app. */
export interface FastifyHits {
  /** `before-middleware` while nothing but the pages would see hits. */
  readonly now: () => Hits;
  /** Adds the hooks of the pages, which are not the user's. */
  readonly ofPages: (add: () => void) => void;
}

/** Follows the hooks of an app, also those of its plugins: without them, request logs and `rewriteUrl`, hits come first. */
export function hitsOf(
  app: FastifyInstance,
  { logger, loggerInstance, rewriteUrl }: FastifyServerOptions,
  serveHits: Hits,
): FastifyHits {
  let isSeen = Boolean(logger ?? loggerInstance ?? rewriteUrl);
  let isOurs = false;
  const addHook = app.addHook as (this: unknown, name: string, ...rest: unknown[]) => never;
  // Plugins inherit it.
  app.addHook = function (this: unknown, name: string, ...rest: unknown[]) {
    if (!isOurs && !OF_START_AND_END.has(name)) isSeen = true;
    return addHook.call(this, name, ...rest);
  } as FastifyInstance['addHook'];
  return {
    now: () => (isSeen ? serveHits : 'before-middleware'),
    ofPages: (add) => {
      isOurs = true;
      add();
      isOurs = false;
    },
  };
}
