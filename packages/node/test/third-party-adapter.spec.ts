import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import {
  Listener,
  NodeExchange,
  type NodeSsrOptions,
  splitOptions,
  SsrHandler,
  SsrPipeline,
  toReqHandler,
  writeAnswer,
} from '@ng-ssr/node/adapter';
import polka, { type Middleware } from 'polka';

/** An adapter as a stranger writes it, for Polka: of the project it knows the public bridge only. */
function createPolkaSsrServer(options: NodeSsrOptions<[IncomingMessage, ServerResponse]>) {
  const { lane, requestContext, ssr } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const pages = new SsrPipeline(handler, requestContext);

  const exchangeOf = (...both: [IncomingMessage, ServerResponse]) => new NodeExchange(...both);
  const fail = (cause: unknown, request: IncomingMessage, response: ServerResponse) =>
    writeAnswer(response, handler.fail(exchangeOf(request, response), cause));
  const app = polka({
    onNoMatch: (request, response) => {
      const notFound = () => writeAnswer(response, handler.notFound(exchangeOf(request, response)));
      pages.complete(request, response, notFound).catch((cause) => fail(cause, request, response));
    },
    onError: fail,
  });
  /** With the first request the user's middleware is complete, and ours goes behind it. */
  let route: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const seal = () => {
    if (lane === 'pipeline') {
      app.use((request, response, next) => void (pages.answer(request, response) || next()));
    }
    return app.handler as unknown as NonNullable<typeof route>;
  };
  const reqHandler = toReqHandler((request: IncomingMessage, response: ServerResponse) => {
    if (lane === 'front' && pages.answer(request, response)) return;
    (route ??= seal())(request, response);
  });
  return { app, handler, reqHandler, listener: new Listener(reqHandler, handler) };
}

defineConformanceSuite({
  name: 'polka',
  lanes: ['pipeline', 'front'],
  expectedFailures: {
    'user routes › HEAD of a GET route has its status and no content':
      'the router of Polka 0.5 knows nothing of HEAD',
  },
  createServer: async (options, lane) => {
    const { app, handler, listener } = createPolkaSsrServer({ ...options, lane });
    app.use(fixtureMiddleware as unknown as Middleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      app.add(method, path, (request, response) => fixtureRoutes(request, response));
    }
    const { port } = await listener.listen({ port: 0, announce: false });
    return { port, ready: () => handler.ready(), close: () => listener.close() };
  },
});
