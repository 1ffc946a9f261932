import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectNotModified, expectWhole, listMembers, strongTag } from '../expectations.ts';
import { stubPage } from '../stub-pages.ts';
import { askThrough } from './stack-headers.ts';

/** Held targets, and their files. */
const HELD = {
  'a page': ['/about', 'about/index.html'],
  'a hashed file': ['/main-ABCDEFG2.js', 'main-ABCDEFG2.js'],
} as const;
const CSV = '/assets/prices.csv';

/** Headers of middleware are on every answer, and change nothing else in it. */
export const headerCases = caseFile('middleware headers', (add) => {
  for (const [label, [target, file]] of Object.entries(HELD)) {
    add(`on ${label} as it is`, async (context) => {
      const response = await askThrough(context, { target });
      expectWhole(response, context.site.read(file));
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
      expect(headerOf(response, 'cache-status')).toMatch(/^ng-ssr; hit\b/);
      expect(listMembers(response, 'vary')).toContain('accept-encoding');
    });

    add(`on ${label} in each of our encodings`, async (context) => {
      const tags = new Set<string>();
      for (const encoding of ['identity', 'br', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const response = await askThrough(context, { target, headers });
        expect(headerOf(response, 'content-encoding') ?? 'identity').toBe(encoding);
        expectWhole(response, context.site.read(file));
        expect(listMembers(response, 'vary')).toContain('accept-encoding');
        tags.add(strongTag(response));
      }
      expect(tags.size).toBe(3);
    });

    add(`on a 304 of ${label} in each of our encodings`, async (context) => {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const whole = await askThrough(context, { target, headers });
        const condition = { ...headers, 'if-none-match': strongTag(whole) };
        const response = await askThrough(context, { target, headers: condition });
        expectNotModified(response, whole);
      }
    });

    add(`on HEAD of ${label}`, async (context) => {
      for (const encoding of ['identity', 'br']) {
        const headers = { 'accept-encoding': encoding };
        const whole = await askThrough(context, { target, headers });
        const response = await askThrough(context, { method: 'HEAD', target, headers });
        expect(response.status).toBe(200);
        expect(response.body).toHaveLength(0);
        for (const name of ['content-length', 'content-encoding', 'etag', 'content-type']) {
          expect(headerOf(response, name), name).toBe(headerOf(whole, name));
        }
      }
    });

    add(`on a part of ${label}`, async (context) => {
      const headers = { range: 'bytes=100-199' };
      const response = await askThrough(context, { target, headers });
      expect(response.status).toBe(206);
      const bytes = context.site.read(file);
      expect(response.body.equals(bytes.subarray(100, 200))).toBe(true);
      expect(headerOf(response, 'content-range')).toBe(`bytes 100-199/${bytes.length}`);
      expect(headerOf(response, 'content-length')).toBe('100');
    });
  }

  add('on a large file', async (context) => {
    const response = await askThrough(context, { target: CSV });
    expect(response.status).toBe(200);
    expect(response.body.equals(context.site.read('assets/prices.csv'))).toBe(true);
    expect(headerOf(response, 'cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  add('on a 304 of a large file', async (context) => {
    const whole = await askThrough(context, { target: CSV });
    const [tag, date] = [headerOf(whole, 'etag'), headerOf(whole, 'last-modified')];
    const headers = tag ? { 'if-none-match': tag } : { 'if-modified-since': date ?? '' };
    const response = await askThrough(context, { target: CSV, headers });
    expect(response.status).toBe(304);
    expect(response.body).toHaveLength(0);
  });

  add('on a part of a large file', async (context) => {
    const headers = { range: 'bytes=1000-1999' };
    const response = await askThrough(context, { target: CSV, headers });
    expect(response.status).toBe(206);
    const bytes = context.site.read('assets/prices.csv');
    expect(response.body.equals(bytes.subarray(1000, 2000))).toBe(true);
  });

  add('on a rendered page', async (context) => {
    const response = await askThrough(context, { target: '/rendered' });
    expect(response.status).toBe(200);
    expect(response.body.toString()).toBe(stubPage('Rendered'));
    expect(headerOf(response, 'content-length')).toBe(String(response.body.length));
    expect(context.engine.renders('/rendered')).toBe(1);
  });

  add('on a 304 of a rendered page', async (context) => {
    const whole = await askThrough(context, { target: '/rendered' });
    const headers = { 'if-none-match': headerOf(whole, 'etag') ?? '' };
    const response = await askThrough(context, { target: '/rendered', headers });
    expect(response.status).toBe(304);
    expect(response.body).toHaveLength(0);
    expect(headerOf(response, 'etag')).toBe(headerOf(whole, 'etag'));
  });

  add("beside a rendered page's own cookies", async (context) => {
    const response = await askThrough(context, { target: '/hello' });
    const cookies = headerLines(response, 'set-cookie');
    expect(cookies).toContain('first=1; Path=/');
    expect(cookies).toContain('second=2; Path=/; HttpOnly');
  });

  add('on a redirect', async (context) => {
    const response = await askThrough(context, { target: '/old' });
    expect(response.status).toBe(302);
    expect(headerOf(response, 'location')).toBe('/about');
    expect(response.body).toHaveLength(0);
  });

  add('on a page that is a 404', async (context) => {
    const response = await askThrough(context, { target: '/no-such-page' });
    expect(response.status).toBe(404);
    expect(response.body.toString()).toBe(stubPage('Not found'));
  });

  add('on a failed render', async (context) => {
    const response = await askThrough(context, { target: '/boom' });
    expect(response.status).toBe(500);
    expect(headerOf(response, 'cache-control')).toBe('no-store');
    expect(context.errors).toHaveLength(1);
  });

  add('on a method that pages have not', async (context) => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', target: '/about', headers, body: '{"a":1}' };
    const response = await askThrough(context, request);
    expect(response.status).toBe(405);
    expect(context.engine.renders()).toBe(0);
  });

  add('an id of its own where the request has none', async ({ get }) => {
    const ids = new Set<string>();
    for (const target of ['/about', '/about', '/rendered', CSV]) {
      const lines = headerLines(await get(target), 'x-request-id');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^\S{8,}$/);
      ids.add(lines[0] ?? '');
    }
    expect(ids.size).toBe(4);
  });
});
