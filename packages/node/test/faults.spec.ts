import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { createNodeSsrServer, type NodeMiddleware, ssrMiddleware } from '@ng-ssr/node/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineFaultSuite } from './define-fault-suite.ts';
import { createSite } from '../../fastify/test/site.ts';

const more = ['/large.txt', '/late'];
for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(
    serveHits,
    (options) => createNodeSsrServer({ ...options, serveHits }).reqHandler,
    more,
  );
}
const late: NodeMiddleware = (_request, _response, next) => void setImmediate(next);
defineFaultSuite(
  'behind middleware that is late',
  (options) => createNodeSsrServer(options).use(late).reqHandler,
  more,
);
defineFaultSuite(
  'ssrMiddleware',
  (options) => {
    const ssr = ssrMiddleware(options);
    return (request, response) => {
      ssr(request, response, () => response.writeHead(404).end());
    };
  },
  more,
);

test('ssrMiddleware answers its failures itself: next is for paths that are not its own', async () => {
  const onError = vi.fn();
  const next = vi.fn();
  const requestContext = (): never => {
    throw new Error('no context');
  };
  const ssr = ssrMiddleware({ ...createSite(), requestContext, onError });
  const server = createServer((request, response) => void ssr(request, response, next));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/rendered`)).status).toBe(500);
  expect(onError.mock.calls).toMatchObject([
    [{ code: 'NG_SSR_HANDLER_FAILED', cause: { message: 'no context' } }],
  ]);
  expect(next).not.toHaveBeenCalled();
});
