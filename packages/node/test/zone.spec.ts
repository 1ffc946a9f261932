// Before all others, as in the bundle of an application with zone.js: it replaces the global Promise.
import 'zone.js/node';
import { createNodeSsrServer, withRouter, withSlots } from '@ng-ssr/node/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSite } from '../../fastify/test/site.ts';

const failed = new Error('failed');

/** A server on which all functions of the user are async: what they return is no instance of the global Promise. */
async function serve() {
  expect((async () => undefined)()).not.toBeInstanceOf(Promise);
  // zone.js takes a `Promise.reject()` that they return for unhandled.
  const fail = async (): Promise<never> => {
    throw failed;
  };
  const onError = vi.fn(fail);
  const server = createNodeSsrServer({
    ...createSite(),
    engine: async () =>
      new Response('<html><body>page</body></html>', { headers: { 'content-type': 'text/html' } }),
    probes: { ready: { path: '/readyz', check: async () => true } },
    routeRules: { '/**': { sMaxAge: 60 } },
    features: [withRouter(), withSlots({ user: { fill: async () => 'ann' } })],
    onError,
  });
  server.use(async (request, _response, next) => {
    if (request.url === '/middleware') throw failed;
    next();
  });
  server.router.get('/route', fail);
  onTestFinished(() => server.close());
  const { url } = await server.listen({ port: 0, announce: false, shutdown: false });
  return { onError, get: (path: string, headers = {}) => fetch(new URL(path, url), { headers }) };
}

test.each(['identity', 'gzip', 'br'])('slots follow a page with zone.js, %s', async (encoding) => {
  const { get } = await serve();
  const headers = { cookie: 'a=b', 'accept-encoding': encoding };
  for (let visit = 0; visit < 2; visit++) {
    const response = await get('/page', headers);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/page.*data-ng-ssr-slot="user">"ann"\n/);
  }
  expect((await get('/readyz')).status).toBe(200);
});

test.each(['/middleware', '/route'])(
  'a rejection of %s is a 500 with zone.js, and one of onError does not end the process',
  async (path) => {
    vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const { get, onError } = await serve();
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    expect((await get(path)).status).toBe(500);
    expect(onError).toHaveBeenCalledOnce();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  },
);
