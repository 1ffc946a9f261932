import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeSsrServer, withPurgeEndpoint, withRouter } from '@ng-ssr/node/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSite } from '../../fastify/test/site.ts';

test('a 405 allows what the routes of its path have, beside GET and HEAD of the page', async () => {
  const { router, reqHandler } = createNodeSsrServer({ ...createSite(), features: [withRouter()] });
  const end = (_request: unknown, response: { end(): void }): void => response.end();
  router.on(['POST', 'PATCH'], '/items/:id', end as never);
  router.on('GET', '/read', end as never);
  const server = createServer(reqHandler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const refused = await fetch(`http://127.0.0.1:${port}/items/1`, { method: 'PUT' });
  expect(await refused.text()).toContain('For other methods, add a route before the pages.');
  const allowed = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' });
    return [response.status, response.headers.get('allow')];
  };
  expect(await allowed('/items/1?x=2')).toEqual([405, 'GET, HEAD, PATCH, POST']);
  expect(await allowed('/read')).toEqual([405, 'GET, HEAD']);
  expect(await allowed('/rendered')).toEqual([405, 'GET, HEAD']);
});

test('without the feature, a use of the router names the line to write', () => {
  const server = createNodeSsrServer(createSite());
  const message =
    'server.router is a feature: write features: [withRouter()], and import withRouter from @ng-ssr/node';
  const refused = expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID', message });
  expect(() => server.router).toThrow(refused);
  expect({ ...server }).toHaveProperty('reqHandler', server.reqHandler);
});

test('the router is asked for other methods only for a 405', async () => {
  const endpoint = { path: '/purge', token: 'a-token-for-purges-in-tests' };
  const { router, reqHandler } = createNodeSsrServer({
    ...createSite(),
    features: [withPurgeEndpoint(endpoint), withRouter()],
  });
  const find = vi.spyOn(router, 'find');
  const server = createServer(reqHandler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const askedMethods = async (method: string, path: string, status: number) => {
    find.mockClear();
    const headers = { authorization: `Bearer ${endpoint.token}` };
    const body = method === 'POST' ? '{"tag":"x"}' : null;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
    expect(response.status).toBe(status);
    return new Set(find.mock.calls.map(([each]) => each)).size;
  };
  expect(await askedMethods('GET', '/rendered', 200)).toBe(1);
  expect(await askedMethods('GET', '/nobody', 404)).toBe(1);
  expect(await askedMethods('POST', '/purge', 200)).toBe(1);
  expect(await askedMethods('DELETE', '/rendered', 405)).toBeGreaterThan(10);
});
