import { expect } from 'vitest';
import { BROWSER, type ClientResponse, headerLines, headerOf, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import {
  comparableHeaders,
  decodedBody,
  expectNotModified,
  expectWhole,
  listMembers,
  strongTag,
} from '../expectations.ts';
import { expectHit, expectStored } from '../stored-expectations.ts';
import { CACHED_TAG, stubPage } from '../stub-pages.ts';

/** Accept-Encoding headers and the encoding of a rendered page; null is identity (RFC 9110 section 12.5.3). */
const CHOICES: readonly (readonly [header: string, encoding: string | null])[] = [
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.2, zstd;q=0.3, gzip;q=0.9', 'gzip'],
  ['*', 'zstd'],
  ['zstd;q=0, *', 'br'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity;q=1, br;q=0.5', null],
  ['br;q=0, zstd;q=0, gzip;q=0', null],
  ['identity', null],
  ['deflate', null],
  ['', null],
];

/** Each adapter has its own way to write these. */
const WITHOUT_CONTENT = new Set(['/empty', '/old']);

/** Encodings of pages that are rendered for one request. */
export const renderedEncodings = caseFile({ file: 'rendered encodings', core: true }, (add) => {
  for (const [header, encoding] of CHOICES) {
    add(
      `Accept-Encoding ${JSON.stringify(header)} gives ${encoding ?? 'identity'}`,
      async (t) => {
        const response = await t.get('/rendered', { 'accept-encoding': header });
        expectWhole(response, Buffer.from(stubPage('Rendered')), 'weak');
        expect(headerOf(response, 'content-encoding') ?? null).toBe(encoding);
        expect(listMembers(response, 'vary')).toContain('accept-encoding');
        if (encoding !== null)
          expect(response.body.length).toBeLessThan(stubPage('Rendered').length);
      },
      { core: encoding !== 'br' },
    );
  }

  for (const header of ['*;q=0', 'identity;q=0', 'deflate, identity;q=0']) {
    add(
      `${JSON.stringify(header)} on a rendered page is a 406`,
      async ({ get }) => {
        expect((await get('/rendered', { 'accept-encoding': header })).status).toBe(406);
      },
      { core: header !== 'identity;q=0' },
    );
  }

  // RFC 9110 section 8.8.3.3.
  add(
    'each encoding of a rendered page has its own tag, and a 304 by it',
    async ({ get }) => {
      const tags = new Set<string>();
      for (const encoding of ['identity', 'br', 'zstd', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const whole = await get('/rendered', headers);
        const tag = headerOf(whole, 'etag') ?? '';
        tags.add(tag);
        const same = await get('/rendered', { ...headers, 'if-none-match': tag });
        expectNotModified(same, whole);
        expect(headerOf(same, 'content-encoding')).toBeUndefined();
        const other = { ...headers, 'if-none-match': '"other"' };
        expect((await get('/rendered', other)).status).toBe(200);
      }
      expect(tags.size).toBe(4);
    },
    { core: false },
  );

  add("a rendered page's own tag is weak where it is encoded", async ({ get }) => {
    // Other cases store the page without this query.
    const target = '/cached?encoded';
    const encoded = await get(target, BROWSER);
    expect(headerLines(encoded, 'etag')).toEqual([`W/${CACHED_TAG}`]);
    const condition = { ...BROWSER, 'if-none-match': CACHED_TAG };
    expectNotModified(await get(target, condition), encoded);
  });

  add('a rendered page that is no-store is encoded, without a tag', async ({ get }) => {
    const response = await get('/nostore', BROWSER);
    expect(headerOf(response, 'content-encoding')).toBe('zstd');
    expect(headerOf(response, 'etag')).toBeUndefined();
    expect(headerLines(response, 'cache-control')).toEqual(['no-store']);
    expect(decodedBody(response).toString()).toBe(stubPage('Not stored'));
  });

  add('the page of a 404 is encoded', async ({ get }) => {
    const response = await get('/missing', BROWSER);
    expect([response.status, headerOf(response, 'content-encoding')]).toEqual([404, 'zstd']);
    expect(decodedBody(response).toString()).toBe(stubPage('Not found'));
  });

  add(
    'an encoded page keeps its cookies and headers',
    async ({ get }) => {
      const [plain, encoded] = [await get('/hello'), await get('/hello', BROWSER)];
      expect(headerOf(encoded, 'content-encoding')).toBe('zstd');
      for (const name of ['set-cookie', 'x-greeting', 'content-type', 'cache-control']) {
        expect(headerLines(encoded, name), name).toEqual(headerLines(plain, name));
      }
      expect(decodedBody(encoded).equals(plain.body)).toBe(true);
    },
    { core: false },
  );

  add(
    'HEAD of an encoded page has the headers of GET',
    async ({ request }) => {
      for (const target of ['/rendered', '/missing', '/nostore', '/hello']) {
        const whole = await request({ target, headers: BROWSER });
        const head = await request({ method: 'HEAD', target, headers: BROWSER });
        expect(headerOf(whole, 'content-encoding'), target).toBe('zstd');
        expect(comparableHeaders(head), target).toEqual(comparableHeaders(whole));
        expect(head.body).toHaveLength(0);
      }
    },
    { core: false },
  );

  // RFC 9110 section 14.2: a server may ignore Range.
  add('a range of an encoded page is the whole', async ({ get }) => {
    const response = await get('/rendered', { ...BROWSER, range: 'bytes=0-9' });
    expectWhole(response, Buffer.from(stubPage('Rendered')), 'weak');
    expect(headerOf(response, 'content-encoding')).toBe('zstd');
  });

  const left: Readonly<Record<string, string>> = {
    'a page that says no-transform': '/no-transform',
    'a page of one packet': '/small',
    'a picture': '/picture',
    'a page with a digest of its bytes': '/digest',
    'a 204': '/empty',
    'a redirect without content': '/old',
  };
  for (const [label, target] of Object.entries(left)) {
    add(
      `${label} is left as it is`,
      async ({ get }) => {
        const [plain, response] = [await get(target), await get(target, BROWSER)];
        expect(comparableHeaders(response)).toEqual(comparableHeaders(plain));
        expect(response.body.equals(plain.body)).toBe(true);
        expect(headerOf(response, 'content-encoding')).toBeUndefined();
        expect(listMembers(response, 'vary')).not.toContain('accept-encoding');
      },
      { core: !WITHOUT_CONTENT.has(target) },
    );
  }

  const known = { ...BROWSER, cookie: 'session=alice' };
  const visits: Readonly<Record<string, readonly [Readonly<Record<string, string>>, boolean]>> = {
    'a page of the same site asks for': [{ ...known, 'sec-fetch-site': 'same-origin' }, true],
    'somebody has typed the address of': [{ ...known, 'sec-fetch-site': 'none' }, true],
    'a click on another site leads to': [
      { ...known, 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' },
      true,
    ],
    'another site asks for without credentials': [
      { ...BROWSER, 'sec-fetch-site': 'cross-site' },
      true,
    ],
    'another site asks for by itself': [{ ...known, 'sec-fetch-site': 'cross-site' }, false],
    'another host of the site asks for by itself': [
      { ...known, 'sec-fetch-site': 'same-site' },
      false,
    ],
    'another site asks for with a password': [
      { ...BROWSER, authorization: 'Basic YTpi', 'sec-fetch-site': 'cross-site' },
      false,
    ],
  };
  for (const [label, [headers, isEncoded]] of Object.entries(visits)) {
    add(`a page that ${label} is ${isEncoded ? 'encoded' : 'not encoded'}`, async ({ get }) => {
      const response = await get('/rendered', headers);
      expectWhole(response, Buffer.from(stubPage('Rendered')), 'weak');
      expect(headerOf(response, 'content-encoding')).toBe(isEncoded ? 'zstd' : undefined);
      expect(listMembers(response, 'vary')).toContain('accept-encoding');
    });
  }

  add(
    "an encoded page has middleware's headers and status",
    async ({ get }) => {
      const response = await get('/rendered', { ...BROWSER, 'x-fixture': 'on' });
      expect(headerOf(response, 'content-encoding')).toBe('zstd');
      expect(listMembers(response, 'vary').sort()).toEqual(['accept-encoding', 'origin']);
      const unavailable = await get('/rendered', { ...BROWSER, 'x-fixture': 'unavailable' });
      expect([unavailable.status, headerOf(unavailable, 'content-encoding')]).toEqual([
        503,
        'zstd',
      ]);
      expect(decodedBody(unavailable).toString()).toBe(stubPage('Rendered'));
    },
    { afterMiddleware: true, core: false },
  );

  add(
    'clients that leave while their pages are encoded leave a server that answers',
    async (t) => {
      const connections = await Promise.all(Array.from({ length: 20 }, () => t.connect()));
      for (const connection of connections) {
        connection.write(requestBytes({ target: '/rendered', headers: BROWSER }));
      }
      await t.expectAlive();
      for (const connection of connections) connection.destroy();
      await Promise.all(connections.map((connection) => connection.closed));
      await t.expectAlive();
      expect(t.errors).toEqual([]);
    },
    { wire: true, parity: false, core: false },
  );

  add(
    'pages that come together are whole, each in its own encoding',
    async ({ get }) => {
      const targets = ['/rendered', '/missing', '/products/1', '/streamed'];
      const plain = await Promise.all(targets.map((target) => get(target)));
      const asked = Array.from({ length: 40 }, (_, i) => i % targets.length);
      const encoded = await Promise.all(asked.map((at) => get(targets[at]!, BROWSER)));
      for (const [i, at] of asked.entries()) {
        expect(decodedBody(encoded[i]!).equals(plain[at]!.body)).toBe(true);
        expect(headerOf(encoded[i]!, 'content-length')).toBe(String(encoded[i]!.body.length));
      }
    },
    { parity: false, core: false },
  );

  add(
    'a page that is stored comes in an encoding at once, and the hit has the same bytes',
    async ({ get, request, engine }) => {
      const target = '/stored/page/encoded-at-once';
      const headers = { 'accept-encoding': 'zstd' };
      const first = await get(target, headers);
      expectStored(first);
      expect(headerOf(first, 'content-encoding')).toBe('zstd');
      const hit = await get(target, headers);
      expectHit(hit);
      expect(hit.body.equals(first.body)).toBe(true);
      expect(strongTag(hit)).toBe(strongTag(first));
      const condition = { ...headers, 'if-none-match': strongTag(first) };
      expectNotModified(await get(target, condition), hit);
      const head = await request({ method: 'HEAD', target, headers });
      expect(headerOf(head, 'etag')).toBe(strongTag(first));
      expect(engine.renders()).toBe(1);
    },
    { profile: 'stored pages', parity: false, core: false },
  );

  add(
    'a crowd that waits for one page gets the same encoded bytes',
    async ({ get, engine }) => {
      const target = '/stored/slow/encoded';
      const crowd = Array.from({ length: 10 }, () => get(target, BROWSER));
      (await engine.held()).release();
      const responses: ClientResponse[] = await Promise.all(crowd);
      // A late request may get the page unencoded, or in an encoding that was made later.
      const firsts = new Map<string, ClientResponse>();
      for (const response of responses) {
        const encoding = headerOf(response, 'content-encoding');
        if (encoding === undefined) continue;
        const first = firsts.get(encoding) ?? response;
        firsts.set(encoding, first);
        expect(response.body.equals(first.body)).toBe(true);
        expect(strongTag(response)).toBe(strongTag(first));
      }
      expect(firsts.size).toBeGreaterThan(0);
      const [whole] = Array.from(firsts.values(), decodedBody);
      for (const response of responses) expect(decodedBody(response).equals(whole!)).toBe(true);
      expect(engine.renders()).toBe(1);
    },
    { profile: 'stored pages', parity: false, core: false },
  );

  add(
    'with render.encodings: [] a rendered page is sent as it is',
    async ({ get, site }) => {
      const response = await get('/rendered', BROWSER);
      expectWhole(response, Buffer.from(stubPage('Rendered')), 'weak');
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
      expect(listMembers(response, 'vary')).not.toContain('accept-encoding');
      expect((await get('/rendered', { 'accept-encoding': '*;q=0' })).status).toBe(200);
      const held = await get('/', BROWSER);
      expect(headerOf(held, 'content-encoding')).toBe('br');
      expectWhole(held, site.read('index.html'));
    },
    { profile: 'pages as rendered' },
  );

  add(
    'without encodings of built files there are none of rendered pages',
    async ({ get }) => {
      expect(headerOf(await get('/rendered', BROWSER), 'content-encoding')).toBeUndefined();
    },
    { profile: 'no encodings' },
  );
});
