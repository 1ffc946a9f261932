import { expect } from 'vitest';
import { BROWSER, headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import {
  comparableHeaders,
  decodedBody,
  expectNotModified,
  expectWhole,
  listMembers,
  strongTag,
} from '../expectations.ts';
import { CHUNK, CSV, MODIFIED, withContent } from '../large-file-fixtures.ts';

const FILES = { [CSV]: 'assets/prices.csv', [CHUNK]: 'chunk-BIGFILE7.js' } as const;

/** Text of more than `maxFileBytes`: its encodings are held, its content is not. */
export const encodedFiles = caseFile({ file: 'encoded files', core: true }, (add) => {
  for (const [target, path] of Object.entries(FILES)) {
    for (const encoding of ['br', 'zstd', 'gzip']) {
      add(
        `${target} comes in ${encoding}, and is a 304 by its tag`,
        async ({ get, site, engine }) => {
          const headers = { 'accept-encoding': encoding };
          const response = await get(target, headers);
          expect(headerLines(response, 'content-encoding')).toEqual([encoding]);
          expectWhole(response, site.read(path));
          expect(response.body.length).toBeLessThan(site.read(path).length);
          expect(listMembers(response, 'vary')).toContain('accept-encoding');
          expect(headerOf(response, 'last-modified')).toBe(MODIFIED);
          expect(headerOf(response, 'cache-status')).toBe('ng-ssr; hit; detail=file');
          const tag = strongTag(response);
          for (const condition of [
            { 'if-none-match': tag },
            { 'if-none-match': `"a", W/${tag}` },
            { 'if-modified-since': MODIFIED },
          ]) {
            expectNotModified(await get(target, { ...headers, ...condition }), response);
          }
          const failed = { ...headers, 'if-match': '"other"' };
          expect((await get(target, failed)).status).toBe(412);
          expect(engine.renders()).toBe(0);
        },
        { core: target !== CSV || encoding !== 'gzip' },
      );
    }
  }

  add('a browser gets a large text in the best encoding', async ({ get }) => {
    expect(headerOf(await get(CHUNK, BROWSER), 'content-encoding')).toBe('br');
    const picky = { 'accept-encoding': 'br;q=0.1, gzip' };
    expect(headerOf(await get(CHUNK, picky), 'content-encoding')).toBe('gzip');
  });

  add('a large text as it is varies too, and has a tag of its own', async ({ get, site }) => {
    const [plain, encoded] = [await get(CSV), await get(CSV, BROWSER)];
    expect(plain.body.equals(site.read('assets/prices.csv'))).toBe(true);
    expect(headerOf(plain, 'content-encoding')).toBeUndefined();
    expect(listMembers(plain, 'vary')).toContain('accept-encoding');
    const condition = { 'if-none-match': strongTag(encoded) };
    expect((await get(CSV, condition)).status).toBe(200);
    const other = { ...BROWSER, 'if-none-match': headerOf(plain, 'etag') ?? '' };
    expect((await get(CSV, other)).status).toBe(200);
  });

  add(
    'HEAD of an encoded large file has the headers of GET',
    async ({ get, request }) => {
      const whole = await get(CHUNK, BROWSER);
      for (const extra of [{}, { range: 'bytes=0-9' }]) {
        const headers = { ...BROWSER, ...extra };
        const head = await request({ method: 'HEAD', target: CHUNK, headers });
        expect(head.status).toBe(200);
        expect(comparableHeaders(head)).toEqual(comparableHeaders(whole));
        expect(head.body).toHaveLength(0);
      }
    },
    { core: false },
  );

  // RFC 9110 section 14.2: of the selected representation, its encoding included.
  add(
    'a part of an encoded large file is a part of its encoded bytes',
    async ({ get }) => {
      const whole = await get(CHUNK, BROWSER);
      const tag = strongTag(whole);
      for (const extra of [{}, { 'if-range': tag }, { 'if-range': MODIFIED }]) {
        const part = await get(CHUNK, { ...BROWSER, range: 'bytes=10-59', ...extra });
        expect(part.status).toBe(206);
        expect(part.body.equals(whole.body.subarray(10, 60))).toBe(true);
        expect(headerOf(part, 'content-range')).toBe(`bytes 10-59/${whole.body.length}`);
        expect(headerOf(part, 'content-encoding')).toBe('br');
        expect(strongTag(part)).toBe(tag);
      }
      const stale = { ...BROWSER, range: 'bytes=10-59', 'if-range': '"other"' };
      expect((await get(CHUNK, stale)).status).toBe(200);
      const beyond = { ...BROWSER, range: 'bytes=99999999-' };
      expect((await get(CHUNK, beyond)).status).toBe(416);
    },
    { core: false },
  );

  add('a large file that is no text has no encoding', async ({ get, site }) => {
    const response = await get('/assets/archive', BROWSER);
    expect(headerOf(response, 'content-encoding')).toBeUndefined();
    expect(listMembers(response, 'vary')).not.toContain('accept-encoding');
    expect(response.body.equals(site.read('assets/archive'))).toBe(true);
  });

  const changes: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    'grown by a line': (bytes) => Buffer.concat([bytes, Buffer.from('\n1,one more,1')]),
    'been emptied': () => Buffer.alloc(0),
    'the same length and another time': (bytes) => Buffer.alloc(bytes.length, 'changed '),
  };
  for (const [change, toContent] of Object.entries(changes)) {
    add(
      `an encoded file that has ${change} since the start arrives as it is now`,
      async (t) => {
        const bytes = t.site.read('assets/prices.csv');
        const encoded = await t.get(CSV, BROWSER);
        expect(headerOf(encoded, 'content-encoding')).toBe('br');
        const content = toContent(bytes);
        await withContent(t.site, content, async () => {
          for (const condition of [{}, { 'if-none-match': strongTag(encoded) }]) {
            const response = await t.get(CSV, { ...BROWSER, ...condition });
            expect(response.status).toBe(200);
            expect(headerOf(response, 'content-encoding')).toBeUndefined();
            expect(response.body.equals(content)).toBe(true);
            expect(headerOf(response, 'etag')).toMatch(/^W\//);
          }
          const range = { ...BROWSER, range: 'bytes=0-9', 'if-range': strongTag(encoded) };
          expect((await t.get(CSV, range)).status).toBe(200);
        });
        const again = await t.get(CSV, BROWSER);
        expect(strongTag(again)).toBe(strongTag(encoded));
        expect(decodedBody(again).equals(bytes)).toBe(true);
        expect(t.errors).toEqual([]);
      },
      { core: change !== 'grown by a line' },
    );
  }

  add(
    'a server without encodings sends a large text as it is',
    async ({ get }) => {
      const response = await get(CHUNK, BROWSER);
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
      expect(listMembers(response, 'vary')).not.toContain('accept-encoding');
    },
    { profile: 'no encodings' },
  );
});
