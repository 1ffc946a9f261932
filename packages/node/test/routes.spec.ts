import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { createSite } from '../../fastify/test/site.ts';

test('a 405 allows what the routes of its path have, beside GET and HEAD of the page', async () => {
  const { router, reqHandler } = createNodeSsrServer(createSite());
  const end = (_request: unknown, response: { end(): void }): void => response.end();
  router.on(['POST', 'PATCH'], '/items/:id', end as never);
  router.on('GET', '/read', end as never);
  const server = createServer(reqHandler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const allowed = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' });
    return [response.status, response.headers.get('allow')];
  };
  expect(await allowed('/items/1?x=2')).toEqual([405, 'GET, HEAD, PATCH, POST']);
  expect(await allowed('/read')).toEqual([405, 'GET, HEAD']);
  expect(await allowed('/rendered')).toEqual([405, 'GET, HEAD']);
});
