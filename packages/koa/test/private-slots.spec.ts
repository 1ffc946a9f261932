import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ssrMiddleware } from '@ng-ssr/koa/server';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import {
  expectPrivate,
  FOR_CACHES,
  hangingSite,
  slottedSite,
  SOON,
} from '../../node/test/private-slots.ts';

test('headers that middleware sets after the page leave a page with slots private', async () => {
  const app = new Koa();
  app.use(async (context, next) => {
    await next();
    context.remove('cache-control');
    context.set(FOR_CACHES);
  });
  app.use(ssrMiddleware(slottedSite()));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expectPrivate(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

test(
  'fills are aborted if middleware throws when the headers of the page are set',
  async () => {
    const { aborted, options } = hangingSite();
    const app = new Koa();
    app.silent = true;
    app.use(async ({ res }, next) => {
      const { setHeader } = res;
      res.setHeader = () => {
        res.setHeader = setHeader;
        throw new Error('no');
      };
      await next();
    });
    app.use(ssrMiddleware(options));
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/page`, { headers: { cookie: 'a=b' } });
    expect(response.status).toBe(500);
    await aborted;
  },
  SOON,
);
