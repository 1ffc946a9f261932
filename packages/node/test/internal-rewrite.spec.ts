import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeSsrServer, withRouter } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';

test('a route that rewrites the request and looks it up again gets the page of the new one', async () => {
  const engine = (request: Request): Response => {
    const tenant = request.headers.get('x-tenant') ?? 'none';
    const headers = { 'cache-control': 's-maxage=60', vary: 'x-tenant' };
    return new Response(`${new URL(request.url).pathname} of ${tenant}`, { headers });
  };
  const ssr = createNodeSsrServer({
    engine,
    allowedHosts: ['127.0.0.1'],
    features: [withRouter()],
    onError: () => {},
  });
  ssr.router.on('POST', '/form', (request, response) => {
    request.method = 'GET';
    request.url = '/thanks';
    request.headers['x-tenant'] = 'a';
    ssr.router.lookup(request, response);
  });
  const server = createServer(ssr.reqHandler).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await ssr.close();
  });
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(`${origin}/form`, { method: 'POST' });
  expect([response.status, await response.text()]).toEqual([200, '/thanks of a']);
  expect(await (await fetch(`${origin}/thanks`)).text()).toBe('/thanks of none');
});
