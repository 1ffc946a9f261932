import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { expect, onTestFinished, test } from 'vitest';
import { createStoredSite, getFrom } from '../../node/test/stored-site.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return getFrom((server.address() as AddressInfo).port);
}

test('the app alone answers as the server does', async () => {
  const { app, router } = createKoaSsrServer({
    ...createStoredSite().options,
    probes: { live: '/livez' },
  });
  router.get('/api', (context) => void (context.body = 'api'));
  const get = await serve(app.callback() as RequestListener);
  expect(await get('/')).toContain('home');
  expect(await get('/page')).toBe('render 1');
  expect(await get('/api')).toBe('api');
  expect(await get('/livez')).toBe('ok\n');
});

test('middleware that the app is given runs before ours', async () => {
  const { app, reqHandler } = createKoaSsrServer(createStoredSite().options);
  const seen: string[] = [];
  const note = (name: string) =>
    app.use((context, next) => {
      seen.push(`${name} ${context.path}`);
      return next();
    });
  expect(note('first')).toBe(app);
  note('second');
  const get = await serve(reqHandler);
  await get('/');
  await get('/page');
  expect(seen).toEqual(['first /', 'second /', 'first /page', 'second /page']);
});
