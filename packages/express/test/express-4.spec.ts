import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { expressName } from './express-version.ts';

/** As in an installation with Express 4. The other specs run with it in `npm run test:all`. */
vi.mock('express', () => vi.importActual('express4'));

test.each([false, true])('Express 4 answers (middleware: %s)', async (hasMiddleware) => {
  expect(expressName).toBe('express-4');
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('home') });
  const { app, router, reqHandler } = createExpressSsrServer({
    engine: ({ url }) => (url.endsWith('/page') ? new Response('rendered') : null),
    allowedHosts: ['127.0.0.1'],
    files: { folder },
  });
  if (hasMiddleware) {
    app.use((_request, response, next) => {
      response.set('x-seen', 'yes');
      next();
    });
  }
  router.get('/route', (_request, response) => void response.send('route'));
  const server = createServer(reqHandler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [target, status, text] of [
    ['/', 200, 'home'],
    ['/route', 200, 'route'],
    ['/page', 200, 'rendered'],
    ['/none', 404, ''],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}${target}`);
    expect([response.status, response.headers.get('x-seen')], target).toEqual([
      status,
      hasMiddleware ? 'yes' : null,
    ]);
    expect(await response.text()).toContain(text);
  }
});
