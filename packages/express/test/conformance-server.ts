import { FIXTURE_ROUTES, fixtureMiddleware, fixtureRoutes } from '@ng-ssr/conformance';
import {
  createExpressSsrServer,
  type ExpressSsrOptions,
  type ExpressSsrServer,
} from '@ng-ssr/express/server';

/** A server with the middleware and the routes that the conformance suite asks for. */
export function createFixtureServer(options: ExpressSsrOptions): ExpressSsrServer {
  const server = createExpressSsrServer(options);
  server.app.use(fixtureMiddleware);
  for (const [method, path] of FIXTURE_ROUTES) {
    server.router.route(path)[method === 'GET' ? 'get' : 'post'](fixtureRoutes);
  }
  return server;
}
