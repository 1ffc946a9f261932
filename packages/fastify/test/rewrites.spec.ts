import type { IncomingMessage, RequestListener } from 'node:http';
import { createFastifySsrServer, ssrPlugin } from '@ng-ssr/fastify/server';
import createFastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { countParsed } from '../../node/test/count-parsed.ts';
import { defineRewritesTest, type ToListener } from '../../node/test/define-rewrites-test.ts';
import { getFrom } from '../../node/test/stored-site.ts';
import { createSite } from './site.ts';

const server: ToListener = (options, rewrite) => {
  const ssr = createFastifySsrServer({ ...options, serveHits: 'before-middleware' });
  onTestFinished(() => ssr.close());
  ssr.app.addHook('onRequest', async ({ raw }, reply) => rewrite(raw, reply.raw));
  return ssr.reqHandler as RequestListener;
};

/** Between the look-up of the server and that of its route. */
const route: ToListener = (options, rewrite) => {
  const ssr = createFastifySsrServer(options);
  onTestFinished(() => ssr.close());
  ssr.app.addHook('onRoute', (added) => {
    added.preHandler = async ({ raw }, reply) => rewrite(raw, reply.raw);
  });
  return ssr.reqHandler as RequestListener;
};

defineRewritesTest("Fastify's server", server, { areRoutesLater: false });
defineRewritesTest("Fastify's page routes", route, { areRoutesLater: false });

test('injected requests are read once each', async () => {
  const site = createSite();
  const app = createFastify();
  onTestFinished(() => app.close());
  await app.register(ssrPlugin, site);
  const ask = async (url: string, host: string) =>
    (await app.inject({ url, headers: { host } })).body;
  await app.ready();
  let pages: string[] = [];
  const parsed = await countParsed(async () => {
    pages = await Promise.all([ask('/a', 'localhost'), ask('/a', '127.0.0.1')]);
  });
  expect(pages).toEqual(['rendered http://localhost/a', 'rendered http://127.0.0.1/a']);
  expect(parsed).toBe(2);
});

test.each(['before-middleware', 'after-middleware'] as const)(
  'a target that Fastify rewrites is the only one for files, too: %s',
  async (serveHits) => {
    const rewriteUrl = ({ url }: IncomingMessage): string =>
      ({ '/held': '/other', '/old': '/held' })[url!] ?? url!;
    const ssr = createFastifySsrServer({ ...createSite(), serveHits, fastify: { rewriteUrl } });
    onTestFinished(() => ssr.close());
    const { port } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
    const get = getFrom(port);
    expect(await get('/held')).toContain('/other');
    expect(await get('/old')).toContain('>held<');
    expect(await countParsed(() => get('/new'))).toBe(1);
  },
);
