import { expect } from 'vitest';
import { headerLines, headerOf, FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectWhole, listMembers, strongTag } from '../expectations.ts';
import { CACHED_TAG, stubPage } from '../stub-pages.ts';

/** Prerendered pages from ready bytes, and pages that are rendered. */
export const pages = caseFile('pages', (add) => {
  const prerendered: Record<string, string> = {
    '/': 'index.html',
    '/?x=1': 'index.html',
    '/about': 'about/index.html',
    '/about/': 'about/index.html',
    '/about?x=1': 'about/index.html',
    '/%C3%BCber': 'über/index.html',
    '/%c3%bcber': 'über/index.html',
  };
  for (const [target, file] of Object.entries(prerendered)) {
    add(`${target} is the prerendered page`, async ({ get, site, engine }) => {
      const response = await get(target);
      expectWhole(response, site.read(file));
      expect(headerOf(response, 'content-type')?.toLowerCase()).toBe('text/html; charset=utf-8');
      expect(headerOf(response, 'cache-control')).toBe('no-cache');
      expect(headerOf(response, 'cache-status')).toMatch(/^ng-ssr; hit\b/);
      expect(headerOf(response, 'accept-ranges')).toBe('bytes');
      expect(listMembers(response, 'vary')).toContain('accept-encoding');
      expect(engine.renders()).toBe(0);
    });
  }

  add("a route's own headers go with its page", async ({ get, site }) => {
    const response = await get('/guide');
    expectWhole(response, site.read('guide/index.html'));
    expect(headerLines(response, 'cache-control')).toEqual(['public, max-age=300']);
    expect(headerOf(response, 'x-content-source')).toBe('guide');
  });

  add('a prerendered page that is no-store has no entity-tag', async ({ get, site }) => {
    const response = await get('/private');
    expect(response.status).toBe(200);
    expect(decodedBody(response).equals(site.read('private/index.html'))).toBe(true);
    expect(headerOf(response, 'cache-control')).toBe('no-store');
    expect(headerOf(response, 'etag')).toBeUndefined();
  });

  add('the same page has the same tag each time, other pages another', async ({ get }) => {
    const tags = [];
    for (const target of ['/', '/', '/about', '/guide']) tags.push(strongTag(await get(target)));
    expect(tags[0]).toBe(tags[1]);
    expect(new Set(tags).size).toBe(3);
  });

  add('twenty connections at once get the same bytes', async ({ get, site }) => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => get('/')));
    for (const response of responses) expectWhole(response, site.read('index.html'));
  });

  add('a path that no page has goes to the engine', async ({ get, engine }) => {
    const response = await get('/ABOUT');
    expect(response.status).toBe(404);
    expect(decodedBody(response).toString()).toBe(stubPage('Not found'));
    expect(engine.renders('/ABOUT')).toBe(1);
  });

  add('a rendered page says that it was', async ({ get, engine }) => {
    const response = await get('/rendered');
    expect(response.status).toBe(200);
    expect(decodedBody(response).toString()).toBe(stubPage('Rendered'));
    expect(headerOf(response, 'content-length')).toBe(String(response.body.length));
    expect(headerOf(response, 'content-type')?.toLowerCase()).toBe('text/html; charset=utf-8');
    expect(headerOf(response, 'cache-status')).toMatch(/^ng-ssr; fwd=uri-miss\b/);
    expectWhole(response, Buffer.from(stubPage('Rendered')), 'weak');
    expect(engine.renders('/rendered')).toBe(1);
  });

  // RFC 9110 section 7.6.1; HTTP/2 has no such headers at all (RFC 9113 section 8.2.2).
  add("a rendered page's headers of a connection are not sent", async ({ get }) => {
    const response = await get('/connection-headers');
    expectWhole(response, Buffer.from(stubPage('Connection headers')), 'weak');
    expect(headerOf(response, 'proxy-connection')).toBeUndefined();
    expect(headerOf(response, 'transfer-encoding')).toBeUndefined();
    expect(headerOf(response, 'upgrade')).toBeUndefined();
    expect(headerOf(response, 'connection') ?? 'keep-alive').toMatch(/^(keep-alive|close)$/i);
  });

  add('a rendered page without a policy is private', async ({ get, engine }) => {
    expect(headerLines(await get('/products/1'), 'cache-control')).toEqual(['private, no-cache']);
    await get('/products/1');
    expect(engine.renders('/products/1')).toBe(2);
  });

  add("a rendered page's own policy and tag are kept", async ({ get }) => {
    const response = await get('/cached');
    expect(headerLines(response, 'cache-control')).toEqual(['public, max-age=60']);
    expect(headerLines(response, 'etag')).toEqual([CACHED_TAG]);
  });

  add('a rendered page that is no-store has no entity-tag', async ({ get }) => {
    const response = await get('/nostore');
    expect(response.status).toBe(200);
    expect(headerLines(response, 'cache-control')).toEqual(['no-store']);
    expect(headerOf(response, 'etag')).toBeUndefined();
  });

  add('a streamed page arrives whole', async ({ get }) => {
    const response = await get('/streamed');
    expect(response.status).toBe(200);
    expect(decodedBody(response).toString()).toBe(stubPage('Streamed'));
    expect(headerOf(response, 'content-length')).toBe(String(response.body.length));
  });

  add('a rendered 404 keeps its page', async ({ get }) => {
    const response = await get('/missing');
    expect(response.status).toBe(404);
    expect(decodedBody(response).toString()).toBe(stubPage('Not found'));
  });

  add('a redirect keeps its status and Location', async ({ get }) => {
    const response = await get('/old');
    expect(response.status).toBe(302);
    expect(headerLines(response, 'location')).toEqual(['/about']);
    expect(response.body).toHaveLength(0);
  });

  add('a 204 has no content and no length', async ({ get }) => {
    const response = await get('/empty');
    expect(response.status).toBe(204);
    expect(headerOf(response, 'content-length')).toBeUndefined();
    expect(headerOf(response, 'transfer-encoding')).toBeUndefined();
    expect(response.body).toHaveLength(0);
  });

  add(
    "a path that is not the application's is a 404",
    async ({ get, engine }) => {
      expect((await get('/null')).status).toBe(404);
      expect(engine.renders('/null')).toBe(1);
    },
    { parity: false },
  );

  add(
    'a request of HTTP/1.0 is answered without chunks and the connection closed',
    async ({ connect, site }) => {
      for (const target of ['/about', '/rendered']) {
        const connection = await connect();
        connection.write(`GET ${target} HTTP/1.0\r\nHost: ${FIXTURE_HOST}\r\n\r\n`);
        const response = await connection.read();
        expect(response.status).toBe(200);
        expect(response.framing).not.toBe('chunked');
        if (target === '/about') expectWhole(response, site.read('about/index.html'));
        await connection.closed;
      }
    },
    { wire: true },
  );
});
