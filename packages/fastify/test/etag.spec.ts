import { Readable } from 'node:stream';
import { entityTag } from '@ng-ssr/etag';
import { etag } from '@ng-ssr/fastify/etag';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createSite } from './site.ts';

function createApp(options = {}): FastifyInstance {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.register(etag, options);
  app.get('/text', () => 'text');
  app.get('/json', () => ({ a: 1 }));
  app.get('/bytes', () => Buffer.from('bytes'));
  app.get('/stream', () => Readable.from(['stream']));
  app.get('/tagged', (_, reply) => reply.header('ETag', '"own"').send('text'));
  app.get('/secret', (_, reply) => reply.header('Cache-Control', 'no-store').send('text'));
  app.get('/private', (_, reply) =>
    reply.header('Cache-Control', 'private, no-store').send('text'),
  );
  app.get('/measured', (_, reply) => reply.header('Content-Length', 4).send('text'));
  app.get('/missing', (_, reply) => reply.code(404).send('text'));
  app.post('/text', () => 'text');
  return app;
}

test('strings, JSON and Buffers get the tag of their bytes', async () => {
  const app = createApp();
  for (const [url, body] of [
    ['/text', 'text'],
    ['/json', '{"a":1}'],
    ['/bytes', 'bytes'],
  ]) {
    const answer = await app.inject(url!);
    expect(answer.headers.etag).toBe(entityTag(body!));
    const head = await app.inject({ method: 'HEAD', url: url! });
    expect(head.headers.etag).toBe(answer.headers.etag);
  }
});

test('others get none, and a tag that is there stays', async () => {
  const app = createApp();
  for (const url of ['/stream', '/secret', '/private', '/missing']) {
    expect((await app.inject(url)).headers.etag).toBeUndefined();
  }
  expect((await app.inject({ method: 'POST', url: '/text' })).headers.etag).toBeUndefined();
  expect((await app.inject('/tagged')).headers.etag).toBe('"own"');
});

test('If-None-Match gets a 304 without content', async () => {
  const app = createApp();
  const tag = entityTag('text');
  for (const [url, header] of [
    ['/text', tag],
    ['/text', `W/${tag}`],
    ['/text', `"x", ${tag}`],
    ['/text', '*'],
    ['/measured', tag],
  ] as const) {
    const answer = await app.inject({ url, headers: { 'if-none-match': header } });
    expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', tag]);
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(answer.headers).not.toHaveProperty('content-length');
  }
  const other = await app.inject({ url: '/text', headers: { 'if-none-match': '"x"' } });
  expect([other.statusCode, other.body]).toEqual([200, 'text']);
});

test('weak tags where they are asked for; options are checked', async () => {
  expect((await createApp({ weak: true }).inject('/text')).headers.etag).toMatch(/^W\//);
  const app = Fastify().register(etag, { weak: 'yes' } as never);
  await expect(app.ready()).rejects.toMatchObject({ code: 'ERR_ETAG_OPTIONS' });
});

test('pages keep the tags they have', async () => {
  const server = createFastifySsrServer(createSite());
  onTestFinished(() => server.close());
  const headers = { host: '127.0.0.1' };
  await server.ready();
  const tagOf = async (app: FastifyInstance) =>
    (await app.inject({ url: '/held', headers })).headers.etag;
  const tag = await tagOf(server.app);
  const tagged = createFastifySsrServer(createSite());
  onTestFinished(() => tagged.close());
  tagged.app.register(etag);
  expect(await tagOf(tagged.app)).toBe(tag);
});
