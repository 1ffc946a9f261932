import { brotliDecompressSync } from 'node:zlib';
import { createNodeSsrServer, withDictionaries } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp1Client, headerLines, headerOf } from '../../conformance/src/client.ts';
import { decodeWith, having } from '../../conformance/src/dictionary-expectations.ts';
import { listMembers } from '../../conformance/src/expectations.ts';
import { seededText } from '../../conformance/src/seeded-bytes.ts';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';

const TEXT = seededText(12_000, 7);
const KEPT = 'max-age=0, stale-while-revalidate=86400';
const TO_ALL = 'match="*", match-dest=("document")';
const OF_HOME = 'match="/*", match-dest=("document")';
const chromium = findChromium();
if (chromium === undefined && process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);

const pageOf = (title: string): string =>
  prerendered(`<link rel="icon" href="data:,"><title>${title}</title><p>${TEXT}</p>`);

/** Starts a server of built pages. It renders others, and stores them except the cart. */
async function start(paths: readonly string[], cacheControl: (path: string) => string) {
  const pages = paths.map((path) => [`browser${path}index.html`, pageOf(path)] as const);
  const browser = writeBuiltSite(Object.fromEntries(pages));
  const ssr = createNodeSsrServer({
    engine: ({ url }) => {
      const { pathname } = new URL(url);
      const isCart = pathname === '/cart';
      const cacheControl = isCart ? 'private, max-age=60' : 'public, s-maxage=60';
      const headers = { 'content-type': 'text/html', 'cache-control': cacheControl };
      const status = pathname === '/gone' ? 404 : 200;
      return new Response(pageOf(`${pathname} rendered`), { status, headers });
    },
    allowedHosts: ['localhost', 'shop.example'],
    files: { folder: browser, cacheControl },
    features: [withDictionaries()],
  });
  const named: unknown[] = [];
  ssr.use(({ headers }, _response, next) => {
    named.push(headers['available-dictionary']);
    next();
  });
  const { url, port } = await ssr.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  const { request } = createHttp1Client(port);
  const get = (target: string, headers: Record<string, string> = {}) =>
    request({ target, headers });
  /** Asks for a page until it comes in an encoding, which the server makes in the background. */
  const until = async (encoding: string, target: string, headers: Record<string, string>) => {
    const poll = async () => headerOf(await get(target, headers), 'content-encoding');
    await expect.poll(poll).toBe(encoding);
    return get(target, headers);
  };
  const untilDifference = (target: string, dictionary: Uint8Array) =>
    until('dcb', target, having(dictionary));
  return { url, get, until, untilDifference, named };
}

const everyPage = (): string => `public, ${KEPT}`;

test('a visit that begins at a landing page loads the other pages as their difference to it', async () => {
  const { get, untilDifference } = await start(['/', '/shop/'], everyPage);
  const shop = await get('/shop');
  expect(headerLines(shop, 'use-as-dictionary')).toEqual([TO_ALL]);
  for (const target of ['/', '/products/1']) {
    const whole = await get(target);
    const difference = await untilDifference(target, shop.body);
    expect(decodeWith(shop.body, difference).equals(whole.body), target).toBe(true);
    expect(difference.body.byteLength).toBeLessThan(300);
    expect(listMembers(difference, 'vary')).toContain('available-dictionary');
  }
  // The home page stays the dictionary of all, whichever the client has.
  const home = await untilDifference('/', shop.body);
  expect(headerLines(home, 'use-as-dictionary')).toEqual([OF_HOME]);
});

test('a client with a dictionary keeps it, and gets a landing page for its next version', async () => {
  const { get, until, untilDifference } = await start(['/', '/shop/'], everyPage);
  const home = await get('/');
  const shop = await untilDifference('/shop', home.body);
  expect(headerLines(shop, 'use-as-dictionary')).toEqual([
    'match="/shop", match-dest=("document")',
  ]);
  // A dictionary of an unknown build counts as none.
  const unknown = await until('br', '/shop', having(Buffer.from(pageOf('of another build'))));
  expect(headerLines(unknown, 'use-as-dictionary')).toEqual([TO_ALL]);
});

test('a 404, which no tag makes a 304, is encoded only against a dictionary that the client still has', async () => {
  const { get, untilDifference } = await start(['/'], everyPage);
  const home = await get('/');
  const gone = await untilDifference('/gone', home.body);
  const headers = { ...having(Buffer.from('another')), 'if-none-match': headerOf(gone, 'etag')! };
  const again = await get('/gone', headers);
  expect(again.status).toBe(404);
  expect(headerOf(again, 'content-encoding')).not.toBe('dcb');
});

test('a private page is no dictionary of others, and not encoded against one', async () => {
  const isPrivate = (path: string): boolean => path.startsWith('/members');
  const { get, untilDifference } = await start(['/', '/members/', '/shop/'], (path) =>
    isPrivate(path) ? `private, ${KEPT}` : `public, ${KEPT}`,
  );
  const members = await get('/members');
  expect(headerLines(members, 'use-as-dictionary')).not.toContain(TO_ALL);
  const shop = await get('/shop');
  await untilDifference('/products/1', shop.body);
  for (const target of ['/shop', '/products/1', '/']) {
    for (let i = 0; i < 3; i++) {
      const response = await get(target, having(members.body));
      expect(headerOf(response, 'content-encoding'), target).not.toBe('dcb');
      await untilDifference('/products/2', shop.body);
    }
  }
  const cart = await get('/cart');
  for (let i = 0; i < 2; i++) {
    const again = await get('/cart', having(shop.body));
    expect(headerOf(again, 'content-encoding')).not.toBe('dcb');
    const product = await get('/products/1', having(cart.body));
    expect(headerOf(product, 'content-encoding')).not.toBe('dcb');
  }
});

test('the pages nearest to the root are landing pages, and few', async () => {
  const sections = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `/z${name}/`);
  const { get } = await start(['/', '/a/deep/', ...sections, '/zz/'], everyPage);
  const offers = async (target: string) => headerLines(await get(target), 'use-as-dictionary');
  for (const section of sections) expect(await offers(section.slice(0, -1))).toEqual([TO_ALL]);
  for (const other of ['/zz', '/a/deep']) {
    expect(await offers(other)).toEqual([`match="${other}", match-dest=("document")`]);
  }
});

test.skipIf(chromium === undefined)(
  'Chromium uses the page that a visit begins at for the next ones',
  async () => {
    const { url, until, untilDifference, named } = await start(
      ['/', '/shop/', '/studio/'],
      everyPage,
    );
    const { body } = await until('br', '/shop', { 'accept-encoding': 'br' });
    const shop = { body: brotliDecompressSync(body) };
    for (const path of ['/studio', '/products/1']) await untilDifference(path, shop.body);
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    const visit = async (path: string) => {
      const response = await tab.goto(url + path);
      const { 'content-encoding': encoding } = await response!.allHeaders();
      expect(await tab.textContent('p')).toBe(TEXT);
      return `${await tab.title()}, ${encoding}`;
    };
    expect(await visit('shop')).toBe('/shop/, br');
    // The browser has no copy of another address, and stores dictionaries when it has the time.
    let attempts = 0;
    const poll = () => visit(`products/1?${attempts++}`);
    await expect.poll(poll).toBe('/products/1 rendered, dcb');
    expect(await visit('studio')).toBe('/studio/, dcb');
    // The studio is for its next version alone.
    expect(await visit(`products/1?${attempts++}`)).toBe('/products/1 rendered, dcb');
    // A home page is preferred, and a landing page that is visited again does not replace it.
    await visit('');
    const ofHome = having(Buffer.from(pageOf('/')))['available-dictionary'];
    const namedNow = async () => {
      await poll();
      return named.at(-1);
    };
    await expect.poll(namedNow).toBe(ofHome);
    await visit('shop');
    expect(await namedNow()).toBe(ofHome);
  },
);
