import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import Koa, { type Context } from 'koa';
import conditionalGet from 'koa-conditional-get';
import koaEtag from 'koa-etag';
import { describe, expect, it, vi } from 'vitest';

import { entityTag } from '../src/index.ts';
import { etag } from '../src/koa.ts';
import { conditional, listen } from './listen.ts';

const file = fileURLToPath(import.meta.url);

async function respond(
  answer: (context: Context) => void,
  use: Koa.Middleware = etag(),
  headers: Record<string, string> = {},
): Promise<{ status: number; tag: string | null }> {
  const app = new Koa({ silent: true } as never);
  app.silent = true;
  app.use(conditionalGet()).use(use).use(answer);
  let result = { status: 0, tag: null as string | null };
  await listen(app.callback(), async (url) => {
    const response = await fetch(url, { headers });
    await response.arrayBuffer().catch(() => undefined);
    result = { status: response.status, tag: response.headers.get('etag') };
  });
  return result;
}

describe('the Koa middleware', () => {
  it.each<[string, unknown, string]>([
    ['a string', '<p>é', entityTag('<p>é')],
    ['a Buffer', Buffer.from('bytes'), entityTag('bytes')],
    ['an object', { a: 1 }, entityTag('{"a":1}')],
    ['an array', [1, 'é'], entityTag('[1,"é"]')],
    ['a Uint8Array, which Koa sends as JSON', Uint8Array.of(5), entityTag('{"0":5}')],
  ])('tags %s', async (_, body, tag) => {
    expect(await respond((context) => void (context.body = body))).toEqual({ status: 200, tag });
    expect(await respond((context) => void (context.body = body), etag({ weak: true }))).toEqual({
      status: 200,
      tag: `W/${tag}`,
    });
  });

  it('tags what is sent', async () => {
    const app = new Koa();
    app.use(etag()).use((context) => void (context.body = { text: 'é' }));
    await listen(app.callback(), async (url) => {
      const response = await fetch(url);
      expect(response.headers.get('etag')).toBe(entityTag(await response.bytes()));
    });
  });

  it.each<[string, (context: Context) => void]>([
    ['no body', (context) => void (context.status = 204)],
    ['an empty string', (context) => void (context.body = '')],
    ['a stream of no file', (context) => void (context.body = Readable.from(['a']))],
    ['a web stream', (context) => void (context.body = new Response('a').body)],
    ['a Blob', (context) => void (context.body = new Blob(['a']))],
    ['a Response', (context) => void (context.body = new Response('a'))],
    ['another status', (context) => void Object.assign(context, { status: 404, body: 'a' })],
  ])('leaves %s', async (_, answer) => {
    expect((await respond(answer)).tag).toBe(null);
  });

  it('leaves a missing file to Koa', async () => {
    const answer = (context: Context) => void (context.body = createReadStream(`${file}.not`));
    const outcome = (use?: Koa.Middleware) => respond(answer, use).catch(() => 'cut off');
    expect(await outcome()).toEqual(await outcome((_, next) => next()));
  });

  it('leaves a tag that is there', async () => {
    const answer = (context: Context) => {
      context.body = 'a';
      context.etag = '"mine"';
    };
    expect((await respond(answer)).tag).toBe('"mine"');
  });

  it('gives file streams the tag of koa-etag', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const answer = (context: Context) => void (context.body = createReadStream(file));
    for (const options of [undefined, { weak: true }, { weak: false }]) {
      const { tag } = await respond(answer, etag(options));
      expect(tag).toBe((await respond(answer, koaEtag(options) as Koa.Middleware)).tag);
      expect(tag).toMatch(options?.weak === false ? /^"/ : /^W\/"/);
    }
  });

  it('makes koa-conditional-get answer 304', async () => {
    const tag = entityTag('page');
    const answer = (context: Context) => void (context.body = 'page');
    expect(await respond(answer, etag(), conditional(tag))).toEqual({ status: 304, tag });
  });

  it('checks its options at once', () => {
    expect(() => etag({ weak: 'yes' } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_ETAG_OPTIONS' }),
    );
  });
});
