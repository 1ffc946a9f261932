import express from 'express';
import { describe, expect, it } from 'vitest';

import { strongEntityTag, weakEntityTag } from '../src/express.ts';
import { entityTag } from '../src/index.ts';
import { conditional, listen } from './listen.ts';

const long = 'é'.repeat(3000);

function createApp(tag: typeof weakEntityTag): express.Express {
  const app = express();
  app.set('etag', tag);
  app.get('/string', (_, response) => void response.send('<p>é'));
  app.get('/long', (_, response) => void response.send(long));
  app.get('/buffer', (_, response) => void response.send(Buffer.from('bytes')));
  app.get('/json', (_, response) => void response.json({ a: 'é' }));
  app.get('/tagged', (_, response) => void response.set('ETag', '"mine"').send('a'));
  return app;
}

describe("the functions for Express's etag setting", () => {
  it.each([
    ['/string', entityTag('<p>é')],
    ['/long', entityTag(long)],
    ['/buffer', entityTag('bytes')],
    ['/json', entityTag('{"a":"é"}')],
  ])('tag %s', async (path, tag) => {
    await listen(createApp(weakEntityTag), async (url) => {
      expect((await fetch(url + path)).headers.get('etag')).toBe(`W/${tag}`);
    });
    await listen(createApp(strongEntityTag), async (url) => {
      const response = await fetch(url + path);
      expect(response.headers.get('etag')).toBe(tag);
      expect(entityTag(await response.bytes())).toBe(tag);
      const again = await fetch(url + path, { headers: conditional(tag) });
      expect(again.status).toBe(304);
    });
  });

  it('leave a tag that is there', async () => {
    await listen(createApp(weakEntityTag), async (url) => {
      expect((await fetch(`${url}/tagged`)).headers.get('etag')).toBe('"mine"');
    });
  });

  it('tag the bytes of the encoding', () => {
    expect(strongEntityTag('é', 'latin1')).toBe(entityTag(Buffer.from('é', 'latin1')));
    expect(strongEntityTag('c3a9', 'hex')).toBe(entityTag('é'));
    expect(strongEntityTag('é', 'utf8')).toBe(entityTag('é'));
    expect(strongEntityTag('é')).toBe(entityTag('é'));
  });
});
