import '@angular/compiler';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { isVarnishMissing, VarnishServer } from '../../edge/test/varnish-server.ts';
import { bundleApp, ofBundle } from './fixture/bundle-app.ts';
import { App, toProviders } from './fixture/late-calls-app.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const MAIN = '<script src="main-ABCDEFGH.js" type="module"></script>';
const hasCookie = ({ headers }: Pick<Request, 'headers'>): boolean => headers.has('cookie');
const CART = '/api/cart?full=yes&by=name';

/** Starts a server whose cart is the name in the cookie, and waits for `finish()` on `/slow`. */
async function startServer(endpoint?: string, base = '/') {
  vi.stubGlobal('ngServerMode', true);
  onTestFinished(() => void vi.unstubAllGlobals());
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(App, { providers: [...toProviders(), provideServerRendering()] }, context);
  let marks = '';
  const pages: string[] = [];
  const engine = async ({ url }: Request): Promise<Response> => {
    const document = `<!doctype html><html><head><base href="${base}">${marks}<link rel="icon" href="data:,">
      </head><body><app-root></app-root>${MAIN}</body></html>`;
    const allowedHosts = ['localhost', '127.0.0.1'];
    const page = await renderApplication(bootstrap, { document, url, allowedHosts });
    pages.push(page);
    return new Response(page, { headers: { 'content-type': 'text/html' } });
  };
  const setup = ({ publicConfig = '' }): void => void (marks = publicConfig);
  const errors: unknown[] = [];
  const ssr = createNodeSsrServer({
    engine: Object.assign(engine, { setup }),
    // Varnish passes on the Host of its own port.
    allowedHosts: ['*'],
    probes: { ready: '/readyz' },
    ...ofBundle(
      writeBuiltSite({
        'browser/index.csr.html': `<html><head><base href="${base}"></head><body></body></html>`,
        'browser/main-ABCDEFGH.js': await bundleApp('late-calls-app-browser.ts'),
      }),
    ),
    routeRules: { '/**': { sMaxAge: 60 } },
    features: [
      withSlots(
        {
          cart: { call: CART, timeoutMs: 60_000 },
          early: { call: '/api/early', when: hasCookie },
          user: {
            call: `${base}api/user`,
            when: ({ headers, url }) => hasCookie({ headers }) && !url.endsWith('/without'),
          },
        },
        endpoint === undefined ? {} : { endpoint },
      ),
    ],
    onError: (error) => void errors.push(error),
  });
  let finish = (): void => undefined;
  let isSlow = false;
  /** Paths of API calls, each with who has called: the browser sends Sec-Fetch-Site. */
  const calls: string[] = [];
  ssr.use((request, response, next) => {
    const { url, headers } = request;
    if (!/^(?:\/shop)?\/api\//.test(url!)) return next();
    const isByBrowser = headers['sec-fetch-site'] !== undefined;
    calls.push(`${isByBrowser ? 'browser' : 'server'} ${url}`);
    const name = headers.cookie?.replace('user=', '') ?? 'a guest';
    const answer = (): void => {
      response.statusCode = name === 'mallory' && !isByBrowser ? 403 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ of: name }));
    };
    if (isSlow && url === CART) finish = answer;
    else answer();
  });
  const { url, port } = await ssr.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  return {
    ...{ url, port, calls, pages, errors },
    slow: (): void => void (isSlow = true),
    finish: (): void => finish(),
  };
}

async function startVisits(origin: string) {
  const browser = await openBrowser(chromium!);
  onTestFinished(() => browser.close());
  const messages: string[] = [];
  const open = async (path: string, name?: string): Promise<Page> => {
    const context = await browser.newContext();
    if (name !== undefined) {
      await context.addCookies([{ name: 'user', value: name, url: origin }]);
    }
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    await page.goto(new URL(path, origin).href, { waitUntil: 'commit' });
    await page.waitForFunction(`performance.getEntriesByName('hydrated').length > 0`);
    return page;
  };
  return { messages, open };
}

const shown = (page: Page): Promise<string[]> =>
  Promise.all(
    ['cart', 'promised', 'user', 'resource', 'early'].map(
      async (id) => (await page.textContent(`#${id}`))!,
    ),
  );

/** In development Angular says what it could not hydrate: NG05xx. */
function expectHydrated(messages: readonly string[], pages: number): void {
  expect(messages.filter((text) => /NG0?\d{3}|Error/.test(text))).toEqual([]);
  expect(messages.filter((text) => text.includes('hydrated 1 component'))).toHaveLength(pages);
}

test.skipIf(chromium === undefined)(
  'HttpClient gets the data that follows a cached page, and the browser asks for nothing',
  async () => {
    const { url, calls, errors, pages, slow, finish } = await startServer();
    const { messages, open } = await startVisits(url);
    for (const name of ['ann', 'bob']) {
      const page = await open('/', name);
      await expect.poll(() => shown(page)).toEqual(Array(5).fill(name));
      expect(calls.splice(0)).toEqual([`server ${CART}`, 'server /api/early', 'server /api/user']);
      await page.click('button');
      await expect.poll(() => page.textContent('button')).toBe(`again ${name}`);
      expect(calls.splice(0)).toEqual([`browser ${CART}`]);
    }
    expect(pages).toHaveLength(1);
    expect(pages[0]).not.toMatch(/ann|bob|guest/);
    expect(await (await fetch(url)).text()).not.toMatch(/ann|bob|guest/);

    slow();
    const late = await open('/', 'eve');
    await expect.poll(() => late.textContent('#user')).toBe('eve');
    expect((await shown(late))[0]).toBe('nobody');
    await expect.poll(() => calls.length).toBe(3);
    // The page does not wait.
    await late.click('button');
    await expect.poll(() => late.textContent('#clicks')).toBe('1');
    finish();
    await expect.poll(() => shown(late)).toEqual(Array(5).fill('eve'));
    expect(calls.splice(0)).toEqual([`server ${CART}`, 'server /api/early', 'server /api/user']);
    expect(errors).toEqual([]);
    expectHydrated(messages, 3);
  },
  60_000,
);

test.skipIf(chromium === undefined)(
  'the browser calls what has no data: for guests, without the slot, if it failed or the page comes from a CDN',
  async () => {
    const { url, calls } = await startServer();
    const { messages, open } = await startVisits(url);
    const guest = await open('/');
    await expect.poll(() => shown(guest)).toEqual(Array(5).fill('a guest'));
    expect(new Set(calls.splice(0))).toEqual(
      new Set([`browser ${CART}`, 'browser /api/early', 'browser /api/user']),
    );
    const without = await open('/without', 'ann');
    await expect.poll(() => shown(without)).toEqual(Array(5).fill('ann'));
    expect(calls.splice(0)).toEqual([`server ${CART}`, 'server /api/early', 'browser /api/user']);
    const refused = await open('/', 'mallory');
    await expect.poll(() => shown(refused)).toEqual(Array(5).fill('mallory'));
    expect(calls.splice(0).slice(0, 3)).toEqual([
      `server ${CART}`,
      'server /api/early',
      'server /api/user',
    ]);
    expectHydrated(messages, 3);
  },
  60_000,
);

test.skipIf(chromium === undefined)(
  'after going back, the browser calls: the document of its cache has the data of the first visit',
  async () => {
    const { url, calls } = await startServer();
    const { messages, open } = await startVisits(url);
    const page = await open('/', 'ann');
    await expect.poll(() => shown(page)).toEqual(Array(5).fill('ann'));
    // A page that the browser keeps in memory does not start again.
    await page.evaluate(`addEventListener('unload', () => undefined)`);
    await page.goto(new URL('/other', url).href);
    await expect.poll(() => shown(page)).toEqual(Array(5).fill('ann'));
    calls.splice(0);
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual(Array(5).fill('ann'));
    const visit = `performance.getEntriesByType('navigation')[0]`;
    expect(await page.evaluate(`[${visit}.type, ${visit}.transferSize]`)).toEqual([
      ...['back_forward', 0],
    ]);
    expect(new Set(calls)).toEqual(
      new Set([`browser ${CART}`, 'browser /api/early', 'browser /api/user']),
    );
    expectHydrated(messages, 3);
  },
  60_000,
);

test.skipIf(chromium === undefined)(
  'below a base href, calls by a path and by a relative URL get their slots',
  async () => {
    const { url, calls, errors } = await startServer(undefined, '/shop/');
    const { messages, open } = await startVisits(url);
    const all = [CART, '/api/early', '/shop/api/user'];
    for (const path of ['/shop/', '/shop/products/1']) {
      const page = await open(path, 'ann');
      await expect.poll(() => shown(page)).toEqual(Array(5).fill('ann'));
      expect(calls.splice(0)).toEqual(all.map((call) => `server ${call}`));
    }
    const guest = await open('/shop/products/1');
    await expect.poll(() => shown(guest)).toEqual(Array(5).fill('a guest'));
    expect(new Set(calls)).toEqual(new Set(all.map((call) => `browser ${call}`)));
    expect(errors).toEqual([]);
    expectHydrated(messages, 3);
  },
  60_000,
);

test.skipIf(chromium === undefined)('with an endpoint, requests are sent as usual', async () => {
  const { url, calls } = await startServer('/_slots');
  const { messages, open } = await startVisits(url);
  const asked: string[] = [];
  const page = await open('/', 'ann');
  page.on('request', (request) => asked.push(request.url()));
  await expect.poll(() => shown(page)).toEqual(Array(5).fill('ann'));
  expect(new Set(calls)).toEqual(
    new Set([`browser ${CART}`, 'browser /api/early', 'browser /api/user']),
  );
  expectHydrated(messages, 1);
});

test.skipIf(chromium === undefined || isVarnishMissing())(
  'behind Varnish, the data follows the cached page by ESI, and the browser asks for nothing',
  async () => {
    const { port, calls, pages, slow, finish } = await startServer('/_slots');
    const varnish = await VarnishServer.reserve();
    onTestFinished(() => varnish.stop());
    await varnish.start(port);
    // Varnish has asked whether it is ready.
    pages.length = 0;
    const { messages, open } = await startVisits(varnish.url);
    // Another visitor's page is in the cache.
    await fetch(varnish.url, { headers: { cookie: 'user=bob' } }).then((page) => page.text());
    calls.length = 0;
    slow();
    const page = await open('/', 'ann');
    await expect.poll(() => shown(page)).toEqual(['nobody', 'nobody', 'ann', 'nobody', 'ann']);
    await page.click('button');
    await expect.poll(() => page.textContent('#clicks')).toBe('1');
    finish();
    await expect.poll(() => shown(page)).toEqual(Array(5).fill('ann'));
    expect(calls).toEqual([`server ${CART}`, 'server /api/early', 'server /api/user']);
    expect(pages).toHaveLength(1);
    expect(pages[0]).not.toMatch(/ann|bob|guest/);
    expectHydrated(messages, 1);
  },
  60_000,
);
