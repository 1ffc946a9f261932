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
  setFields,
  splitOptions,
  SsrHandler,
  toReqHandler,
  writeAnswer,
} from '@ng-ssr/node/adapter';
import polka, { type Middleware } from 'polka';
import sirv from 'sirv';

/** An adapter as a stranger writes it, for Polka: of the project it knows the public bridge only. */
function createPolkaSsrServer(options: NodeSsrOptions<[IncomingMessage, ServerResponse]>) {
  const { lane, requestContext, ssr } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const { browserFolder } = handler;
  const sendFile = browserFolder && sirv(browserFolder, { etag: true, dotfiles: true });

  const answer = (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const held = handler.answer(new NodeExchange(request, response));
    if (held === undefined) next();
    else writeAnswer(response, held);
  };
  const complete = async (request: IncomingMessage, response: ServerResponse) => {
    const exchange = new NodeExchange(request, response);
    const file = handler.largeFile(exchange);
    if (file === undefined) {
      const rendered = await handler.render(exchange, requestContext(request, response));
      writeAnswer(response, rendered ?? handler.notFound(exchange));
    } else if ('status' in file) {
      writeAnswer(response, file);
    } else {
      setFields(response, file.headers);
      const { range } = file;
      delete request.headers.range;
      if (range !== undefined) {
        request.headers.range = `bytes=${range.first}-${range.last}`;
        request.headers['accept-encoding'] = 'identity';
      }
      if (sendFile) sendFile(request, response);
    }
  };

  const fail = (cause: unknown, request: IncomingMessage, response: ServerResponse) =>
    writeAnswer(response, handler.fail(new NodeExchange(request, response), cause));
  const app = polka({
    onNoMatch: (request, response) =>
      void complete(request, response).catch((cause) => fail(cause, request, response)),
    onError: fail,
  });
  /** With the first request the user's middleware is complete, and ours goes behind it. */
  let route: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const seal = () => {
    const { handler } = lane === 'front' ? app : app.use(answer as unknown as Middleware);
    return handler as unknown as NonNullable<typeof route>;
  };
  const reqHandler = (request: IncomingMessage, response: ServerResponse) => {
    const goOn = () => (route ??= seal())(request, response);
    if (lane === 'front') answer(request, response, goOn);
    else goOn();
  };
  const listener = new Listener(reqHandler, () => handler.close());
  return { app, handler, listener, reqHandler: toReqHandler(reqHandler) };
}

defineConformanceSuite({
  name: 'polka',
  lanes: ['pipeline', 'front'],
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
