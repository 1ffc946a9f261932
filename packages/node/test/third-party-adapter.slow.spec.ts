import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import {
  answerFailure,
  requestListener,
  NodeExchange,
  type AdapterOptions,
  splitOptions,
  SsrHandler,
  SsrPipeline,
  toServer,
  writeAnswer,
  withCalls,
  withSlots,
} from '@ng-ssr/node/adapter';
import polka, { type Middleware } from 'polka';

/** An adapter as a stranger writes it, for Polka: of the project it knows the public bridge only. */
function createPolkaSsrServer(options: AdapterOptions<[IncomingMessage, ServerResponse]>) {
  const { serveHits, requestContext, ssr } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const pages = new SsrPipeline(handler, requestContext);

  const exchangeOf = (...both: [IncomingMessage, ServerResponse]) => new NodeExchange(...both);
  const app = polka({
    onNoMatch: (request, response) => {
      const notFound = () => writeAnswer(response, handler.notFound(exchangeOf(request, response)));
      void pages.render(request, response, notFound);
    },
    onError: (cause, request, response) => answerFailure(handler, request, response, cause),
  });
  /** With the first request the user's middleware is complete, and ours goes behind it. */
  let route: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const seal = () => {
    if (serveHits === 'after-middleware') {
      app.use((request, response, next) => void (pages.answer(request, response) || next()));
    }
    return app.handler as unknown as NonNullable<typeof route>;
  };
  const requests = requestListener(handler, serveHits, (request, response) =>
    (route ??= seal())(request, response),
  );
  return { app, ...toServer(handler, requests) };
}

defineConformanceSuite({
  name: 'polka',
  features: { withCalls, withSlots },
  // Both values of `serveHits` are in the suites of our adapters.
  serveHits: ['after-middleware'],
  expectedFailures: {
    'user routes › HEAD of a GET route has its status and no content':
      'the router of Polka 0.5 knows nothing of HEAD',
    'calls › HEAD has no content': 'the router of Polka 0.5 knows nothing of HEAD',
  },
  createServer: async (options, serveHits) => {
    const { app, ready, listen, close } = createPolkaSsrServer({ ...options, serveHits });
    app.use(fixtureMiddleware as unknown as Middleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      app.add(method, path, (request, response) => fixtureRoutes(request, response));
    }
    const { port } = await listen({ port: 0, announce: false });
    return { port, ready, close };
  },
});
