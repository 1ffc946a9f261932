import { expect } from 'vitest';
import { fieldLines, fieldOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody } from '../expectations.ts';

const CSV = '/assets/prices.csv';
const CHUNK = '/chunk-BIGFILE7.js';

/** Files of more than `maxFileBytes`, which the framework's own static server sends. */
export const largeFiles = caseFile('large files', (add) => {
  const framework = { parity: false };

  add(
    'a large file arrives whole',
    async ({ get, site, engine }) => {
      const response = await get(CSV);
      expect(response.status).toBe(200);
      expect(response.body.equals(site.read('assets/prices.csv'))).toBe(true);
      expect(fieldOf(response, 'content-length')).toBe(String(response.body.length));
      expect(fieldOf(response, 'content-type')).toMatch(/^text\/csv\b/i);
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add(
    'a large file has one lifetime, by its name',
    async ({ get }) => {
      const lifetime = async (target: string) => fieldLines(await get(target), 'cache-control');
      expect(await lifetime(CSV)).toEqual(['no-cache']);
      expect(await lifetime(CHUNK)).toEqual(['public, max-age=31536000, immutable']);
    },
    framework,
  );

  add(
    "a client that takes every coding gets a large file's bytes",
    async ({ get, site }) => {
      const response = await get(CHUNK, { 'accept-encoding': 'br, zstd, gzip' });
      expect(response.status).toBe(200);
      expect(decodedBody(response).equals(site.read('chunk-BIGFILE7.js'))).toBe(true);
    },
    framework,
  );

  add(
    'HEAD of a large file has the length and no content',
    async ({ get, request }) => {
      const whole = await get(CSV);
      const head = await request({ method: 'HEAD', target: CSV });
      expect(head.status).toBe(200);
      expect(fieldOf(head, 'content-length')).toBe(fieldOf(whole, 'content-length'));
      expect(head.body).toHaveLength(0);
    },
    framework,
  );

  add(
    'a range of a large file is a 206',
    async ({ get, site }) => {
      const bytes = site.read('assets/prices.csv');
      const response = await get(CSV, { range: 'bytes=1000-1999' });
      expect(response.status).toBe(206);
      expect(response.body.equals(bytes.subarray(1000, 2000))).toBe(true);
      expect(fieldOf(response, 'content-range')).toBe(`bytes 1000-1999/${bytes.length}`);
      expect(fieldOf(response, 'content-length')).toBe('1000');
    },
    framework,
  );

  add(
    'the end of a large file is a 206',
    async ({ get, site }) => {
      const bytes = site.read('assets/prices.csv');
      const response = await get(CSV, { range: 'bytes=-500' });
      expect(response.status).toBe(206);
      expect(response.body.equals(bytes.subarray(-500))).toBe(true);
    },
    framework,
  );

  add(
    'a range beyond a large file is a 416',
    async ({ get, site }) => {
      const size = site.read('assets/prices.csv').length;
      const response = await get(CSV, { range: `bytes=${size}-` });
      expect(response.status).toBe(416);
      expect(fieldOf(response, 'content-range')).toBe(`bytes */${size}`);
    },
    framework,
  );

  add(
    'a large file that has not changed is a 304',
    async ({ get }) => {
      const whole = await get(CSV);
      const [tag, date] = [fieldOf(whole, 'etag'), fieldOf(whole, 'last-modified')];
      expect(tag ?? date).toBeDefined();
      const headers = tag ? { 'if-none-match': tag } : { 'if-modified-since': date ?? '' };
      const response = await get(CSV, headers);
      expect(response.status).toBe(304);
      expect(response.body).toHaveLength(0);
    },
    framework,
  );

  add(
    'a malformed host gets no large file',
    async ({ get }) => {
      expect((await get(CSV, { host: '127.0.0.1#' })).status).toBe(400);
    },
    { wire: true },
  );
});
