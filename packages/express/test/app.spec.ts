import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import express, { type RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createStoredSite, getFrom } from '../../node/test/stored-site.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return getFrom((server.address() as AddressInfo).port);
}

const probes = { live: '/livez' };

test.each(['after-middleware', 'before-middleware'] as const)(
  'the app alone answers as the server does (%s)',
  async (serveHits) => {
    const { options } = createStoredSite();
    const { app, router } = createExpressSsrServer({ ...options, serveHits, probes });
    router.get('/api', (_, response) => void response.send('api'));
    const get = await serve(app);
    expect(await get('/')).toContain('home');
    expect(await get('/page')).toBe('render 1');
    expect(await get('/api')).toBe('api');
    expect(await get('/livez')).toBe('ok\n');
  },
);

test.each(['app', 'reqHandler'] as const)(
  "within another app, other requests go on with that app's request and response (%s)",
  async (name) => {
    const engine = ({ url }: Request): Response | null =>
      url.endsWith('/missing') ? null : new Response('page');
    const server = createExpressSsrServer({ ...createStoredSite().options, engine });
    server.app.use((_request, response, next) => {
      response.locals['ours'] = true;
      next();
    });
    const parent = express();
    parent.set('name', 'parent');
    parent.use('/shop', server[name] as RequestHandler);
    parent.use((request, response) => {
      response.json({
        request: request.app === parent,
        response: response.app === parent,
        url: request.url,
        ours: response.locals['ours'],
      });
    });
    const get = await serve(parent);
    expect(await get('/shop/page')).toBe('page');
    expect(await get('/shop/')).toContain('home');
    expect(JSON.parse(await get('/shop/missing'))).toEqual({
      request: true,
      response: true,
      url: '/shop/missing',
      ours: true,
    });
  },
);
