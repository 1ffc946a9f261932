import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import {
  decodedBody,
  expectNotModified,
  expectWhole,
  listMembers,
  opaqueTag,
  strongTag,
} from '../expectations.ts';
import { stubPage } from '../stub-pages.ts';

/** Accept-Encoding headers and the encoding they choose; null is identity (RFC 9110 section 12.5.3). */
const CHOICES: readonly (readonly [header: string, encoding: string | null])[] = [
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['zstd, gzip', 'zstd'],
  ['gzip,br', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.2, zstd;q=0.3, gzip;q=0.9', 'gzip'],
  ['br ; q=0.2 , zstd ; q=0.3', 'zstd'],
  ['gzip;Q=0.9, br;q=0.1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, zstd;q=0.0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0.1', 'br'],
  ['br;q=0, *', 'zstd'],
  ['gzip, *;q=0.5', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['identity', null],
  ['identity;q=1, br;q=0.5', null],
  ['identity;q=0.1, gzip;q=0.2', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['deflate', null],
  ['compress, x-unknown', null],
  ['', null],
];

/** One header for each representation that an adapter may have to write, and one whose weights it has to pass on. */
const EACH_ENCODING = new Set(['br', 'zstd', 'gzip', 'deflate', '', 'gzip;q=1.0, br;q=0.5']);

/** The headers that get identity although they accept encodings: see {@link expectWhole}. */
const TAKE_OTHERS = new Set(['deflate', 'compress, x-unknown', 'identity;q=1, br;q=0.5']);

/** Malformed headers; whichever encoding is chosen, the page must arrive. */
const JUNK = [
  ',',
  ';',
  ';q=1',
  'br;q=',
  'br;q=abc',
  'br;q=-1',
  'br;q=2',
  'br;;q=1',
  'gzip;q=0.5.5',
  '\x80\xff',
  '"br"',
  'constructor',
  '__proto__',
  'x'.repeat(5_000),
  'br,'.repeat(500),
];

/** Content encodings. */
export const negotiation = caseFile({ file: 'negotiation', core: true }, (add) => {
  for (const [header, encoding] of CHOICES) {
    add(
      `Accept-Encoding ${JSON.stringify(header)} gives ${encoding ?? 'identity'}`,
      async (t) => {
        for (const [target, file] of Object.entries({
          '/': 'index.html',
          '/main-ABCDEFG2.js': 'main-ABCDEFG2.js',
        })) {
          const response = await t.get(target, { 'accept-encoding': header });
          expect(headerOf(response, 'content-encoding') ?? null, target).toBe(encoding);
          expectWhole(response, t.site.read(file), TAKE_OTHERS.has(header) ? 'weak' : 'strong');
          expect(listMembers(response, 'vary')).toContain('accept-encoding');
        }
      },
      { core: !EACH_ENCODING.has(header) },
    );
  }

  for (const header of JUNK) {
    const text = /^[ -~]*$/.test(header) ? header : 'of bytes beyond ASCII';
    const label = text.length > 40 ? `${text.slice(0, 8)}... (${text.length})` : text;
    add(
      `Accept-Encoding ${JSON.stringify(label)} is no failure`,
      async ({ get, site }) => {
        const response = await get('/about', { 'accept-encoding': header });
        expect(response.status).toBe(200);
        expect(decodedBody(response).equals(site.read('about/index.html'))).toBe(true);
        expect((await get('/rendered', { 'accept-encoding': header })).status).toBe(200);
      },
      { core: /^[ -~]{1,1000}$/.test(header) },
    );
  }

  add(
    'a request without Accept-Encoding gets identity',
    async ({ get, site }) => {
      const response = await get('/');
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
      expect(response.body.equals(site.read('index.html'))).toBe(true);
    },
    { core: false },
  );

  add(
    'what may be encoded on its way has a weak tag, and no parts',
    async ({ get, site }) => {
      const bytes = site.read('about/index.html');
      const headers = { 'accept-encoding': 'deflate' };
      const whole = await get('/about', headers);
      expectWhole(whole, bytes, 'weak');
      expect(opaqueTag(whole)).toBe(strongTag(await get('/about')));
      expectWhole(await get('/about', { ...headers, range: 'bytes=0-9' }), bytes, 'weak');
      const condition = { ...headers, 'if-none-match': headerOf(whole, 'etag') ?? '' };
      expectNotModified(await get('/about', condition), whole);
    },
    { core: false },
  );

  add(
    'each encoding has its own tag and its own bytes',
    async ({ get }) => {
      const tags = new Set<string>();
      const lengths = new Set<number>();
      for (const encoding of ['identity', 'br', 'zstd', 'gzip']) {
        const response = await get('/', { 'accept-encoding': encoding });
        tags.add(strongTag(response));
        lengths.add(response.body.length);
      }
      expect(tags.size).toBe(4);
      expect(Math.max(...lengths)).toBe((await get('/')).body.length);
    },
    { core: false },
  );

  add(
    'several Accept-Encoding lines are one list',
    async ({ raw }) => {
      const lines = 'Accept-Encoding: gzip;q=0.5\r\nAccept-Encoding: zstd\r\n';
      const response = await raw(`GET / HTTP/1.1\r\nHost: shop.example\r\n${lines}\r\n`);
      expect(headerOf(response, 'content-encoding')).toBe('zstd');
    },
    { wire: true, core: false },
  );

  add(
    'bytes that are encoded already are sent as they are',
    async ({ get, site }) => {
      const response = await get('/assets/logo.png', { 'accept-encoding': 'br, zstd, gzip' });
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
      expectWhole(response, site.read('assets/logo.png'));
    },
    { core: false },
  );

  for (const header of ['identity;q=0', '*;q=0', 'br, identity;q=0']) {
    add(
      `${JSON.stringify(header)} on bytes that have no encoding is a 406`,
      async ({ get }) => {
        const response = await get('/assets/logo.png', { 'accept-encoding': header });
        expect(response.status).toBe(406);
        expect(response.body.length).toBeLessThan(1_000);
      },
      { core: header !== 'identity;q=0' },
    );
  }

  add('no encoding being acceptable on a page is no failure', async ({ get }) => {
    for (const header of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
      expect((await get('/about', { 'accept-encoding': header })).status).toBeLessThan(500);
    }
  });

  add(
    "a rendered page decodes to the engine's bytes",
    async ({ get }) => {
      for (const header of ['br', 'zstd', 'gzip', 'gzip, deflate, br, zstd', 'identity']) {
        const response = await get('/rendered', { 'accept-encoding': header });
        expect(decodedBody(response).toString()).toBe(stubPage('Rendered'));
        if (headerOf(response, 'content-encoding')) {
          expect(listMembers(response, 'vary')).toContain('accept-encoding');
        }
      }
    },
    { core: false },
  );

  add(
    'an encoding that the application applied is left alone',
    async ({ get }) => {
      const response = await get('/weird', { 'accept-encoding': 'gzip, br' });
      expect(response.status).toBe(200);
      expect(headerLines(response, 'content-encoding')).toEqual(['gzip']);
      expect(gunzipSync(response.body).toString()).toBe(stubPage('Encoded by the app'));
    },
    { core: false },
  );

  add(
    'a server of one encoding uses that one',
    async ({ get, site }) => {
      const chosen = async (header: string) => {
        const response = await get('/', { 'accept-encoding': header });
        const encoding = headerOf(response, 'content-encoding');
        expectWhole(response, site.read('index.html'), encoding ? 'strong' : 'weak');
        return encoding;
      };
      expect(await chosen('br, zstd, gzip')).toBe('gzip');
      expect(await chosen('br, zstd')).toBeUndefined();
      expect(await chosen('*')).toBe('gzip');
    },
    { profile: 'gzip only' },
  );

  add(
    'a server without encodings sends identity',
    async ({ get, site }) => {
      const response = await get('/', { 'accept-encoding': 'br, zstd, gzip' });
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
      expectWhole(response, site.read('index.html'), 'weak');
    },
    { profile: 'no encodings' },
  );
});
