import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody } from '../expectations.ts';
import { FIXTURE_TIME } from '../fixture-content.ts';
import {
  ARCHIVE,
  CHUNK,
  CSV,
  EARLIER,
  expectPartOf,
  expectWholeFile,
  MODIFIED,
} from '../large-file-fixtures.ts';

/** Ranges with and without a first and a last byte. */
const OF_EACH_END = new Set(['bytes=0-0', 'bytes=1000-1999', 'bytes=200000-', 'bytes=-500']);

/** Preconditions that make an answer without content, or with the content of the file. */
const OF_EACH_STATUS = new Set([
  'If-None-Match with the tag',
  'If-None-Match with another tag',
  'If-Modified-Since with the date',
  'If-Match with another tag',
  'If-None-Match beside Range',
  // An adapter that compares dates or tags itself forgets these.
  'If-None-Match beside If-Modified-Since',
  'If-Match *',
]);

/** Files of more than `maxFileBytes`, which are read from disk while they are sent. */
export const largeFiles = caseFile('large files', (add) => {
  add('a large file arrives whole', async ({ get, site, engine }) => {
    const response = await get(CSV);
    expectWholeFile(response, site.read('assets/prices.csv'));
    expect(headerOf(response, 'last-modified')).toBe(MODIFIED);
    expect(headerLines(response, 'etag')).toHaveLength(1);
    expect(headerOf(response, 'etag')).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    expect(headerOf(response, 'accept-ranges')).toBe('bytes');
    expect(engine.renders()).toBe(0);
  });

  add('a large file says that it is not from memory', async ({ get }) => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const lines = headerLines(await get(CSV, headers), 'cache-status');
      expect(lines).toEqual(['ng-ssr; fwd=bypass; detail=file']);
    }
  });

  for (const [target, type] of [
    [CSV, 'text/csv; charset=utf-8'],
    [CHUNK, 'text/javascript; charset=utf-8'],
    [ARCHIVE, 'application/octet-stream'],
  ] as const) {
    add(`${target} is ${type}`, async ({ get, request }) => {
      expect(headerOf(await get(target), 'content-type')).toBe(type);
      const head = await request({ method: 'HEAD', target });
      expect(headerOf(head, 'content-type')).toBe(type);
    });
  }

  add('a large file has one lifetime, by its name', async ({ get }) => {
    const lifetime = async (target: string) => headerLines(await get(target), 'cache-control');
    expect(await lifetime(CSV)).toEqual(['public, max-age=0, must-revalidate']);
    expect(await lifetime(CHUNK)).toEqual(['public, max-age=31536000, immutable']);
  });

  add("a client that takes every encoding gets a large file's bytes", async ({ get, site }) => {
    const response = await get(CHUNK, { 'accept-encoding': 'br, zstd, gzip' });
    expect(response.status).toBe(200);
    expect(decodedBody(response).equals(site.read('chunk-BIGFILE7.js'))).toBe(true);
  });

  add('HEAD of a large file has the headers of GET and no content', async ({ get, request }) => {
    const whole = await get(CSV);
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const head = await request({ method: 'HEAD', target: CSV, headers });
      expect(head.status).toBe(200);
      for (const name of ['content-length', 'content-type', 'etag', 'last-modified']) {
        expect(headerOf(head, name), name).toBe(headerOf(whole, name));
      }
      expect(head.body).toHaveLength(0);
    }
  });

  const satisfiable: Record<string, (size: number) => readonly [first: number, last: number]> = {
    'bytes=0-0': () => [0, 0],
    'bytes=1000-1999': () => [1000, 1999],
    'bytes=0-': (size) => [0, size - 1],
    'bytes=200000-': (size) => [200_000, size - 1],
    'bytes=-1': (size) => [size - 1, size - 1],
    'bytes=-500': (size) => [size - 500, size - 1],
    'bytes=0-99999999': (size) => [0, size - 1],
    'bytes=-99999999': (size) => [0, size - 1],
  };
  for (const [range, part] of Object.entries(satisfiable)) {
    add(
      `${range} of a large file is a 206`,
      async ({ get, site }) => {
        for (const [target, path] of [
          [CSV, 'assets/prices.csv'],
          [ARCHIVE, 'assets/archive'],
        ] as const) {
          const bytes = site.read(path);
          expectPartOf(await get(target, { range }), bytes, ...part(bytes.length));
        }
      },
      { core: !OF_EACH_END.has(range) },
    );
  }

  for (const range of ['bytes=5-2', 'bytes=a-b', 'items=0-9', 'bytes=0-9,20-29', 'bytes=-']) {
    add(
      `${range} of a large file is the whole`,
      async ({ get, site }) => {
        expectWholeFile(await get(CSV, { range }), site.read('assets/prices.csv'));
      },
      { core: range !== 'bytes=0-9,20-29' },
    );
  }

  for (const [name, toRange] of [
    ['beyond a large file', (size: number) => `bytes=${size}-`],
    ['of no bytes of a large file', () => 'bytes=-0'],
  ] as const) {
    add(`a range ${name} is a 416`, async ({ get, site }) => {
      const size = site.read('assets/prices.csv').length;
      const response = await get(CSV, { range: toRange(size) });
      expect(response.status).toBe(416);
      expect(headerOf(response, 'content-range')).toBe(`bytes */${size}`);
    });
  }

  add('a part is of the bytes that the same client gets', async ({ get, site }) => {
    const headers = { range: 'bytes=10-59', 'accept-encoding': 'deflate' };
    // Earlier compression middleware may encode text, so such a client gets the whole file.
    const text = await get(CSV, headers);
    expect(text.status).toBe(200);
    expect(decodedBody(text).equals(site.read('assets/prices.csv'))).toBe(true);
    expectPartOf(await get(ARCHIVE, headers), site.read('assets/archive'), 10, 59);
  });

  const ifRange: Record<string, [header: string | undefined, status: number]> = {
    'the date of a large file': [MODIFIED, 206],
    'another date': [EARLIER, 200],
    'a later date': [new Date(FIXTURE_TIME.getTime() + 1000).toUTCString(), 200],
    'another tag': ['"other"', 200],
    'its weak tag': [undefined, 200],
  };
  for (const [name, [header, status]] of Object.entries(ifRange)) {
    add(
      `If-Range with ${name} is a ${status}`,
      async ({ get, request }) => {
        const tag = headerOf(await request({ method: 'HEAD', target: CSV }), 'etag') ?? '';
        const headers = { range: 'bytes=0-9', 'if-range': header ?? tag };
        expect((await get(CSV, headers)).status).toBe(status);
      },
      { core: header !== MODIFIED && header !== EARLIER },
    );
  }

  const preconditions: [
    headers: (tag: string) => Readonly<Record<string, string>>,
    name: string,
    status: 200 | 304 | 412,
  ][] = [
    [(tag) => ({ 'if-none-match': tag }), 'If-None-Match with the tag', 304],
    [(tag) => ({ 'if-none-match': tag.slice(2) }), 'If-None-Match with the strong tag', 304],
    [(tag) => ({ 'if-none-match': `"a,b", ${tag}` }), 'If-None-Match with a list', 304],
    [() => ({ 'if-none-match': '*' }), 'If-None-Match *', 304],
    [() => ({ 'if-none-match': '"other"' }), 'If-None-Match with another tag', 200],
    [() => ({ 'if-modified-since': MODIFIED }), 'If-Modified-Since with the date', 304],
    [() => ({ 'if-modified-since': EARLIER }), 'If-Modified-Since with an earlier date', 200],
    [
      () => ({ 'if-none-match': '"other"', 'if-modified-since': MODIFIED }),
      'If-None-Match beside If-Modified-Since',
      200,
    ],
    [() => ({ 'if-match': '*' }), 'If-Match *', 200],
    [() => ({ 'if-match': '"other"' }), 'If-Match with another tag', 412],
    [(tag) => ({ 'if-match': tag }), 'If-Match with the weak tag', 412],
    [() => ({ 'if-unmodified-since': MODIFIED }), 'If-Unmodified-Since with the date', 200],
    [() => ({ 'if-unmodified-since': EARLIER }), 'If-Unmodified-Since with an earlier date', 412],
    [() => ({ 'if-match': '"other"', range: 'bytes=0-9' }), 'If-Match beside Range', 412],
    [() => ({ 'if-none-match': '*', range: 'bytes=0-9' }), 'If-None-Match beside Range', 304],
  ];
  for (const [conditions, name, status] of preconditions) {
    add(
      `${name} of a large file is a ${status}`,
      async ({ request }) => {
        const whole = await request({ method: 'HEAD', target: CSV });
        const headers = conditions(headerOf(whole, 'etag') ?? '');
        for (const method of ['GET', 'HEAD']) {
          const response = await request({ method, target: CSV, headers });
          expect(response.status, method).toBe(status);
          if (status !== 304) continue;
          expect(response.body).toHaveLength(0);
          expect(headerOf(response, 'etag')).toBe(headerOf(whole, 'etag'));
          expect(headerOf(response, 'content-type')).toBeUndefined();
        }
      },
      { core: !OF_EACH_STATUS.has(name) },
    );
  }

  add(
    'a status that middleware has chosen stays, and the large file is whole',
    async ({ get, site }) => {
      for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
        const response = await get(CSV, { ...headers, 'x-fixture': 'unavailable' });
        expect(response.status).toBe(503);
        expect(response.body.equals(site.read('assets/prices.csv'))).toBe(true);
      }
    },
    { afterMiddleware: true },
  );

  add(
    'a malformed host gets no large file',
    async ({ get }) => {
      expect((await get(CSV, { host: '127.0.0.1#' })).status).toBe(400);
    },
    { wire: true },
  );
});
