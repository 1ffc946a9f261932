import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ssrMiddleware } from '@ng-ssr/koa/server';
import type { Feature, SsrError } from '@ng-ssr/core';
import { createAnswer } from '@ng-ssr/core/plug';
import Koa from 'koa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStoredSite } from '../../node/test/stored-site.ts';

test('a later middleware that writes the response itself causes no render', async () => {
  const { options } = createStoredSite();
  const engine = vi.fn(options.engine);
  const app = new Koa();
  app.use(ssrMiddleware({ ...options, engine }));
  app.use((context) => {
    context.respond = false;
    setTimeout(() => context.res.writeHead(200).end('own'), 50);
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/page`);
  expect(await response.text()).toBe('own');
  expect(response.headers.get('cache-status')).toBeNull();
  expect(engine).not.toHaveBeenCalled();
});

test('a middleware in front that does not await next() is reported once', async () => {
  const { options } = createStoredSite();
  const errors: unknown[] = [];
  const app = new Koa();
  app.use((_context, next) => void next());
  const onError = ({ code, message }: SsrError): void => void errors.push(`${code}: ${message}`);
  app.use(ssrMiddleware({ ...options, onError }));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/page', '/other']) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  }
  await vi.waitFor(() =>
    expect(errors).toEqual([
      'NG_SSR_HANDLER_FAILED: GET /page: Koa sent the response before the page was ready. Write await next() in each middleware before ng-ssr, and ctx.respond = false in one that writes the response itself. This is reported once',
    ]),
  );
});

test('an answer of a feature without content has none', async () => {
  const { options } = createStoredSite();
  const headers = { location: '/page' };
  const redirects: Feature = {
    name: 'redirects',
    install: () => ({
      substitutes: [{ answer: () => createAnswer('redirects', null, { status: 301, headers }) }],
    }),
  };
  const app = new Koa();
  app.use(ssrMiddleware({ ...options, features: [redirects] }));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const method of ['GET', 'HEAD']) {
    const address = `http://127.0.0.1:${port}/old`;
    const response = await fetch(address, { method, redirect: 'manual' });
    const names = ['location', 'content-length', 'content-type'];
    expect([
      response.status,
      ...names.map((name) => response.headers.get(name)),
      await response.text(),
    ]).toEqual([301, '/page', '0', null, '']);
  }
});
