import { FIXTURE_ROUTES, fixtureMiddleware, fixtureRoutes } from '@ng-ssr/conformance/child';
import {
  createNodeSsrServer,
  type NodeSsrOptions,
  type NodeSsrServer,
  withRouter,
} from '@ng-ssr/node/server';

/** A server with the middleware and the routes that the conformance suite asks for. */
export function createFixtureServer(options: NodeSsrOptions): NodeSsrServer {
  const features = [...(options.features ?? []), withRouter()];
  const server = createNodeSsrServer({ ...options, features }).use(fixtureMiddleware);
  for (const [method, path] of FIXTURE_ROUTES) {
    server.router.on(method, path, (request, response) => fixtureRoutes(request, response));
  }
  return server;
}
