import { expect } from 'vitest';
import { headerOf, type ClientResponse } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectWhole, strongTag } from '../expectations.ts';

const FILE = '/main-ABCDEFG2.js';

function expectPart(
  response: ClientResponse,
  whole: ClientResponse,
  first: number,
  last: number,
): void {
  const size = whole.body.length;
  expect(response.status).toBe(206);
  expect(headerOf(response, 'content-range')).toBe(`bytes ${first}-${last}/${size}`);
  expect(headerOf(response, 'content-length')).toBe(String(last - first + 1));
  expect(response.body.equals(whole.body.subarray(first, last + 1))).toBe(true);
  for (const name of ['etag', 'content-type', 'content-encoding', 'cache-control', 'vary']) {
    expect(headerOf(response, name), name).toBe(headerOf(whole, name));
  }
}

/** Range headers that are answered with the whole representation (RFC 9110 section 14.2). */
const IGNORED = [
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-2',
  'bytes=1.5-3',
  'bytes=0-9x',
  'items=0-9',
  'bytes 0-9',
  'bytes=0-9,20-29',
  'bytes=0-9, 5-',
  '',
];

/** Ranges of pages and files that are held in memory. */
export const ranges = caseFile({ file: 'ranges', core: true }, (add) => {
  for (const [resource, target] of [
    ['a file', FILE],
    ['a page', '/'],
  ] as const) {
    const satisfiable: Record<string, (size: number) => readonly [number, number]> = {
      'bytes=0-99': () => [0, 99],
      'bytes=0-0': () => [0, 0],
      'bytes=100-199': () => [100, 199],
      'bytes=1000-': (size) => [1000, size - 1],
      'bytes=-500': (size) => [size - 500, size - 1],
      'bytes=0-99999999': (size) => [0, size - 1],
      'bytes=-99999999': (size) => [0, size - 1],
      'BYTES=10-19': () => [10, 19],
    };
    for (const [range, part] of Object.entries(satisfiable)) {
      add(
        `${range} is a 206 (${resource})`,
        async ({ get }) => {
          const whole = await get(target);
          expectPart(await get(target, { range }), whole, ...part(whole.body.length));
        },
        { core: range !== 'bytes=0-99' },
      );
    }

    add(
      `a range beyond the end is a 416 (${resource})`,
      async ({ get }) => {
        const size = (await get(target)).body.length;
        for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0']) {
          const response = await get(target, { range });
          expect(response.status, range).toBe(416);
          expect(headerOf(response, 'content-range')).toBe(`bytes */${size}`);
          expect(response.body.length).toBeLessThan(1_000);
        }
      },
      { core: false },
    );
  }

  for (const range of IGNORED) {
    add(
      `Range ${JSON.stringify(range)} is the whole`,
      async ({ get }) => {
        const whole = await get(FILE);
        expectWhole(await get(FILE, { range }), whole.body);
      },
      { core: range !== 'bytes=0-9,20-29' },
    );
  }

  add('If-Range with the tag is a 206', async ({ get }) => {
    const whole = await get(FILE);
    const headers = { range: 'bytes=0-99', 'if-range': strongTag(whole) };
    expectPart(await get(FILE, headers), whole, 0, 99);
  });

  add('If-Range with another tag is the whole', async ({ get }) => {
    const whole = await get(FILE);
    const tag = strongTag(whole);
    for (const value of ['"another-tag"', `W/${tag}`, 'Sat, 01 Jan 2000 00:00:00 GMT', 'x']) {
      const response = await get(FILE, { range: 'bytes=0-99', 'if-range': value });
      expectWhole(response, whole.body);
    }
  });

  for (const encoding of ['br', 'zstd', 'gzip']) {
    add(
      `a range of the ${encoding} representation is of its own bytes`,
      async ({ get }) => {
        const headers = { 'accept-encoding': encoding };
        const whole = await get(FILE, headers);
        expect(headerOf(whole, 'content-encoding')).toBe(encoding);
        const response = await get(FILE, { ...headers, range: 'bytes=0-99' });
        if (response.status === 206) expectPart(response, whole, 0, 99);
        else expect(response.body.equals(whole.body)).toBe(true);
      },
      { core: encoding !== 'br' },
    );
  }

  add('If-Range with the tag of another encoding is the whole', async ({ get }) => {
    const identity = strongTag(await get(FILE));
    const headers = { 'accept-encoding': 'br', range: 'bytes=0-99', 'if-range': identity };
    const response = await get(FILE, headers);
    expect(response.status).toBe(200);
  });

  add(
    'a precondition is looked at before the range',
    async ({ get }) => {
      const whole = await get(FILE);
      const range = { range: 'bytes=0-99' };
      const matched = await get(FILE, { ...range, 'if-none-match': strongTag(whole) });
      expect(matched.status).toBe(304);
      expect((await get(FILE, { ...range, 'if-match': '"other"' })).status).toBe(412);
      const outside = { range: 'bytes=99999999-', 'if-none-match': strongTag(whole) };
      expect((await get(FILE, outside)).status).toBe(304);
    },
    { core: false },
  );

  add(
    'a range of a rendered page is of its own bytes',
    async ({ get }) => {
      const whole = await get('/rendered');
      const response = await get('/rendered', { range: 'bytes=0-99' });
      if (response.status === 206) expectPart(response, whole, 0, 99);
      else expectWhole(response, whole.body, 'weak');
    },
    { core: false },
  );

  add(
    'a range of an error or a redirect is that answer',
    async ({ get }) => {
      expect((await get('/missing', { range: 'bytes=0-9' })).status).toBe(404);
      expect((await get('/old', { range: 'bytes=0-9' })).status).toBe(302);
      expect((await get('/boom', { range: 'bytes=0-9' })).status).toBe(500);
    },
    { core: false },
  );
});
