import { channel } from 'node:diagnostics_channel';
import type { Hits } from '@ng-ssr/node/adapter';
import type { FastifyInstance, FastifyServerOptions, RouteOptions } from 'fastify';

/** Subscribers get the app before it has options or hooks of the user, and may have added their own. */
const INITIALIZATION = channel('fastify.initialization');

/** Hooks that no request runs, and that add nothing to routes. */
const OF_START_AND_END: ReadonlySet<string> = new Set([
  'onReady',
  'onListen',
  'preClose',
  'onClose',
]);

/** Hooks of a route that run before the last preHandler, where hits come, or see the answer. */
const OF_ROUTE = [
  ...(['onRequest', 'preParsing', 'preValidation', 'onSend', 'onResponse'] as const),
  ...(['onError', 'onTimeout', 'onRequestAbort'] as const),
];

/** Where hits come on an app. */
export interface FastifyHits {
  /** `before-middleware` while nothing but the pages would see hits. */
  readonly now: () => Hits;
  /** Adds the hooks of the pages, which are not the user's. */
  readonly ofPages: (add: () => void) => void;
}

/**
 * Follows the hooks of an app, of its plugins and of routes for GET: without them, request logs and `rewriteUrl`, hits
 * come first.
 */
export function hitsOf(
  app: FastifyInstance,
  { logger, loggerInstance, rewriteUrl }: FastifyServerOptions,
  serveHits: Hits,
): FastifyHits {
  let isSeen = INITIALIZATION.hasSubscribers || [logger, loggerInstance, rewriteUrl].some(Boolean);
  let isOurs = false;
  app.addHook('onRoute', (route) => void (isSeen ||= seesHits(route)));
  // A closing Fastify refuses requests, also for pages that are held.
  app.addHook('preClose', (done) => {
    isSeen = true;
    done();
  });
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

/** Whether a route for GET or HEAD has hooks of its own, as for a login: its path may be that of a hit, too. */
function seesHits(route: RouteOptions): boolean {
  const methods = [route.method].flat();
  const isOfGet = methods.includes('GET');
  if (!isOfGet && !methods.includes('HEAD')) return false;
  // Fastify adds an onSend to the HEAD of each route.
  return OF_ROUTE.some((name) => route[name] !== undefined && (isOfGet || name !== 'onSend'));
}
