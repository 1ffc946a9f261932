import compress from '@fastify/compress';
import { ssrPlugin } from '@ng-ssr/fastify/server';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import {
  expectPrivate,
  FOR_CACHES,
  hangingSite,
  slottedSite,
  SOON,
} from '../../node/test/private-slots.ts';

test('headers of an onSend hook leave a page with slots private', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.addHook('onSend', async (_request, reply) => {
    reply.removeHeader('cache-control').headers(FOR_CACHES);
  });
  app.register(ssrPlugin, slottedSite());
  await expectPrivate(await app.listen({ port: 0, host: '127.0.0.1' }));
});

test('@fastify/compress, which ignores no-transform, leaves data of one client uncompressed', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(compress, { threshold: 0 });
  app.register(ssrPlugin, slottedSite());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  // To another site, the page itself is not encoded.
  const headers = { cookie: 'a=b', 'accept-encoding': 'gzip', 'sec-fetch-site': 'cross-site' };
  const response = await fetch(`${origin}/page`, { headers });
  expect(await response.text()).toContain('data-ng-ssr-slot="name"');
  expect(response.headers.get('content-encoding')).toBeNull();
});

test(
  'fills are aborted if an onSend hook throws',
  async () => {
    const { aborted, options } = hangingSite();
    const app = Fastify();
    onTestFinished(() => app.close());
    app.addHook('onSend', async () => {
      throw new Error('no');
    });
    app.register(ssrPlugin, options);
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${origin}/page`, { headers: { cookie: 'a=b' } });
    expect(response.status).toBe(500);
    await aborted;
  },
  SOON,
);
