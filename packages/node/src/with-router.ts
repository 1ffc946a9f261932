import type { Feature } from '@ng-ssr/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import { http } from './adapter/node-http.ts';

/** Takes a request that has no route. `methodsOf` returns the methods of its path's routes. */
export type TakeUnrouted = (
  request: IncomingMessage,
  response: ServerResponse,
  methodsOf?: () => readonly string[],
) => void;

export interface RouterFeature extends Feature {
  /** The router of one server. */
  readonly createRouter: (takeUnrouted: TakeUnrouted) => Instance<HTTPVersion.V1>;
}

/**
 * Adds `server.router`, for your routes: find-my-way.
 *
 * @example
 * ```ts
 * const server = createNodeSsrServer({ engine: appEngine(), features: [withRouter()] });
 * server.router.get('/api/time', (req, res) => res.end(String(Date.now())));
 * ```
 */
export function withRouter(): Feature {
  const feature: RouterFeature = {
    name: 'router',
    install: () => ({}),
    createRouter: (takeUnrouted) => {
      const router = createRouter({
        ignoreTrailingSlash: false,
        defaultRoute: (request, response) => {
          // HEAD is GET without the content (RFC 9110 section 9.3.2), which node:http leaves out.
          const { method, url = '/' } = request;
          if (method === 'GET') return takeUnrouted(request, response);
          const constraints = constraintsOf(request);
          const find = (each: string) => router.find(each as HTTPMethod, url, constraints);
          const route = method === 'HEAD' ? find('GET') : null;
          if (route !== null) {
            const { handler, params, store, searchParams } = route;
            return handler(request, response, params, store, searchParams);
          }
          const methodsOf = () => http.METHODS.filter((each) => find(each) !== null);
          takeUnrouted(request, response, method === 'HEAD' ? undefined : methodsOf);
        },
      });
      return router;
    },
  };
  return feature;
}

/** What find-my-way chooses among the routes of a path by, beside the method. */
function constraintsOf({ headers }: IncomingMessage): Record<string, unknown> {
  return { host: headers.host, version: headers['accept-version'] };
}
