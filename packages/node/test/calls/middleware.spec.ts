import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ssrMiddleware as koaMiddleware } from '@ng-ssr/koa/server';
import { ssrMiddleware as expressMiddleware } from '@ng-ssr/express/server';
import { ssrPlugin } from '@ng-ssr/fastify/server';
import { createNodeSsrServer, ssrMiddleware, withCalls, withRouter } from '@ng-ssr/node/server';
import express from 'express';
import createFastify from 'fastify';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../../core/test/built-site.ts';
import { ask } from './called-server.ts';

/** Options of a server whose page shows what `/api` answers. */
function createOptions() {
  return {
    engine: async () => {
      const response = await fetch('/api', { headers: { 'x-forwarded-for': '192.0.2.1' } });
      return new Response(`page: ${await response.text()}`);
    },
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': '' }) },
    features: [withCalls({ '/api': { inProcess: true } })],
  };
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('on Node the option names the listener', async () => {
  const listener: RequestListener = (request, response) => {
    if (request.url === '/api') response.end('route');
    else void ssr(request, response, () => response.end());
  };
  const ssr = ssrMiddleware({ ...createOptions(), routes: listener });
  onTestFinished(() => ssr.close());
  expect(await ask(await listen(listener))).toEqual([200, 'page: route']);
});

test('in Koa a call reaches the app, whatever was added to it later', async () => {
  const app = new Koa();
  const ssr = koaMiddleware(createOptions());
  onTestFinished(() => ssr.close());
  app.use(ssr).use((context, next) => {
    if (context.path !== '/api') return next();
    context.body = `route for ${context.ip}`;
    return undefined;
  });
  expect(await ask(await listen(app.callback()))).toEqual([200, 'page: route for ']);
});

test('in Express a call reaches the outermost app', async () => {
  const inner = express();
  const ssr = expressMiddleware(createOptions());
  onTestFinished(() => ssr.close());
  inner.use(ssr);
  const app = express().use('/shop', inner).set('trust proxy', 'loopback');
  app.get('/api', (request, response) => void response.send(`route for ${request.ip}`));
  const url = await listen(app);
  // A call comes from no address that a route may trust.
  const answer = [200, 'page: route for undefined'];
  for (let i = 0; i < 2; i++) expect(await ask(`${url}shop`)).toEqual(answer);
  // Real requests have the members of node:http's as before.
  expect(await ask(`${url}api`)).toEqual([200, 'route for 127.0.0.1']);
});

test('in Fastify a call reaches the app, and its hooks', async () => {
  const app = createFastify({ trustProxy: 'loopback' });
  onTestFinished(() => app.close());
  await app.register(ssrPlugin, createOptions());
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', '1'));
  app.get('/api', async (request) => `route for ${request.ip}`);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await ask(`${url}/`)).toEqual([200, 'page: route for undefined']);
});

test('behind a dev server, which has no build, routes work', async () => {
  const { engine, features } = createOptions();
  const server = createNodeSsrServer({
    engine,
    features: [...features, withRouter()],
    allowedHosts: ['127.0.0.1'],
  });
  onTestFinished(() => server.close());
  server.router.get('/api', (_request, response) => response.end('route'));
  const url = await listen((request, response) =>
    server.reqHandler(request, response, () => response.end('dev server')),
  );
  expect(await ask(url)).toEqual([200, 'page: route']);
});

test('the option is checked', () => {
  const routes = '/api' as never;
  expect(() => ssrMiddleware({ ...createOptions(), routes })).toThrow(
    'routes is "/api" (string); allowed: a request listener (request, response) => void',
  );
});
