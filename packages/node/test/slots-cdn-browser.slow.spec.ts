import '@angular/compiler';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { isVarnishMissing, VarnishServer } from '../../edge/test/varnish-server.ts';
import { bundleApp, ofBundle } from './fixture/bundle-app.ts';
import { App, type Cart, toProviders } from './fixture/slots-app.ts';
import { isNginxMissing, startNginx } from './nginx-server.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const MAIN = '<script src="main-ABCDEFGH.js" type="module"></script>';

interface Started {
  readonly port: number;
  /** For servers that mount it. */
  readonly listener: RequestListener;
  /** Ends the slot of `/slow`. */
  readonly finish: () => void;
}

/** Starts a server whose cart has the session and the path as its items. */
async function startServer(base = '/'): Promise<Started> {
  vi.stubGlobal('ngServerMode', true);
  onTestFinished(() => void vi.unstubAllGlobals());
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(App, { providers: [...toProviders(), provideServerRendering()] }, context);
  let marker = '';
  const engine = async ({ url }: Request): Promise<Response> => {
    const document = `<!doctype html><html><head><base href="${base}">${marker}<link rel="icon" href="data:,">
      </head><body><app-root></app-root>${MAIN}</body></html>`;
    const options = { document, url, allowedHosts: ['127.0.0.1'] };
    const page = await renderApplication(bootstrap, options);
    // Here, Angular compiles in the browser: that needs more of script-src.
    const csp = "connect-src 'self'";
    const headers = { 'content-type': 'text/html', 'content-security-policy': csp };
    return new Response(page, { headers });
  };
  const setup = ({ publicConfig = '' }): void => void (marker = publicConfig);
  let finish: () => void;
  const slow = new Promise<void>((resolve) => (finish = resolve));
  const fill = async ({ headers, url }: Request): Promise<Cart> => {
    const { pathname } = new URL(url);
    if (pathname === '/slow') await slow;
    if (pathname === '/fails') throw new Error('cracked');
    return { items: [headers.get('cookie')!, pathname] };
  };
  const ssr = createNodeSsrServer({
    engine: Object.assign(engine, { setup }),
    // Proxies pass on the Host of their own port.
    probes: { ready: '/readyz' },
    allowedHosts: ['*'],
    ...ofBundle(
      writeBuiltSite({
        'browser/index.csr.html': `<html><head><base href="${base}"></head><body></body></html>`,
        'browser/main-ABCDEFGH.js': await bundleApp('slots-app-browser.ts'),
      }),
    ),
    routeRules: { '/**': { sMaxAge: 60 } },
    features: [
      withSlots(
        {
          cart: { fill, timeoutMs: 60_000 },
          user: { fill: ({ headers }: Request) => headers.get('cookie')!.toUpperCase() },
        },
        { endpoint: `${base}_slots` },
      ),
    ],
    onError: () => undefined,
  });
  const { port } = await ssr.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  return { port: port!, finish: finish!, listener: ssr.reqHandler };
}

type Open = Awaited<ReturnType<typeof startVisits>>['open'];
type Opened = Awaited<ReturnType<Open>>;

/** Starts a browser whose visitors share no cookies. */
async function startVisits(origin: string) {
  const browser = await openBrowser(chromium!);
  onTestFinished(() => browser.close());
  const messages: string[] = [];
  /** Opens a page as a new visitor, and returns when it is hydrated. */
  const open = async (path: string, name?: string) => {
    const context = await browser.newContext();
    if (name !== undefined) {
      await context.addCookies([{ name: 'session', value: name, url: origin, httpOnly: true }]);
    }
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const asked: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const response = (await page.goto(origin + path, { waitUntil: 'commit' }))!;
    await page.waitForFunction(`performance.getEntriesByName('hydrated').length > 0`);
    const statusIs = (status: string): Promise<unknown> =>
      page.waitForFunction((text) => {
        const shown = document.querySelector('#status')!.textContent!;
        return shown.trim().replaceAll(/\s+/g, ' ') === text;
      }, status);
    const items = (): Promise<string[]> => page.locator('i').allTextContents();
    const userIs = (text: string): Promise<unknown> =>
      page.waitForFunction((shown) => document.querySelector('u')!.textContent === shown, text);
    return { page, response, asked, statusIs, items, userIs };
  };
  return { messages, open };
}

/** How often a visitor has asked the endpoint. */
const timesAsked = ({ asked }: Opened): number =>
  asked.filter((path) => path.endsWith('/_slots')).length;

/** In development Angular says what it could not hydrate: NG05xx. */
function expectHydrated(messages: readonly string[], pages: number): void {
  expect(messages.filter((text) => /NG0?\d{3}|Error|violates/.test(text))).toEqual([]);
  expect(messages.filter((text) => text.includes('hydrated 1 component'))).toHaveLength(pages);
}

/** A page whose slot comes late: it works before that. */
async function openSlow(open: Open, finish: () => void): Promise<Opened> {
  const slow = await open('/slow', 'ann');
  await slow.statusIs('loading true false');
  await slow.userIs('SESSION=ANN');
  await slow.page.click('button');
  await expect.poll(() => slow.page.textContent('button')).toBe('clicked 1');
  finish();
  await slow.statusIs('resolved false true 2');
  return slow;
}

test.skipIf(chromium === undefined || isNginxMissing())(
  'clients behind a cache get the same page, and each its own slots',
  async () => {
    const { port, finish } = await startServer();
    const nginx = await startNginx(`proxy_pass http://127.0.0.1:${port}; proxy_http_version 1.1;
      proxy_set_header Host $http_host; proxy_cache pages;
      proxy_cache_key $scheme$host$request_uri;
      add_header X-Cache $upstream_cache_status;`);
    onTestFinished(() => nginx.stop());
    const { messages, open } = await startVisits(`http://127.0.0.1:${nginx.port}`);
    const cacheOf = ({ response }: Opened): string | undefined => response.headers()['x-cache'];

    const ann = await open('/products/1', 'ann');
    await ann.statusIs('resolved false true 2');
    expect([cacheOf(ann), await ann.items()]).toEqual(['MISS', ['session=ann', '/products/1']]);
    await ann.userIs('SESSION=ANN');
    const bob = await open('/products/1?page=2', 'bob');
    await bob.statusIs('resolved false true 2');
    expect(await bob.items()).toEqual(['session=bob', '/products/1']);
    const eve = await open('/products/1', 'eve');
    await eve.statusIs('resolved false true 2');
    expect([cacheOf(eve), await eve.items()]).toEqual(['HIT', ['session=eve', '/products/1']]);
    expect(await eve.response.text()).toBe(await ann.response.text());
    const anonymous = await open('/products/1');
    await anonymous.statusIs('idle false false');
    expect([cacheOf(anonymous), await anonymous.items()]).toEqual(['HIT', ['nothing']]);
    // All slots of a page are one request.
    expect([ann, bob, eve, anonymous].map(timesAsked)).toEqual([1, 1, 1, 1]);

    const failed = await open('/fails', 'ann');
    await failed.statusIs('error false false The slot cart failed on the server.');
    await openSlow(open, finish);
    expectHydrated(messages, 6);
  },
  60_000,
);

test.skipIf(chromium === undefined || isVarnishMissing())(
  'clients behind a Varnish with ESI get the slots with the cached page',
  async () => {
    const { port, finish } = await startServer();
    const varnish = await VarnishServer.reserve();
    onTestFinished(() => varnish.stop());
    await varnish.start(port);
    const { messages, open } = await startVisits(varnish.url);
    const all: Opened[] = [];
    for (const name of ['ann', 'bob']) {
      const visit = await open('/products/1', name);
      await visit.statusIs('resolved false true 2');
      expect(await visit.items()).toEqual([`session=${name}`, '/products/1']);
      const status = visit.response.headers()['cache-status'];
      expect(status).toMatch(name === 'ann' ? /Varnish; fwd=miss/ : /Varnish; hit/);
      all.push(visit);
    }
    // Without a cookie there is no slot: the page says so, and nothing is fetched.
    const anonymous = await open('/products/1');
    await anonymous.statusIs('idle false false');
    const failed = await open('/fails', 'ann');
    await failed.statusIs('error false false The slot cart failed on the server.');
    const slow = await openSlow(open, finish);
    expect([...all, anonymous, failed, slow].map(timesAsked)).toEqual([0, 0, 0, 0, 0]);
    expectHydrated(messages, 5);
  },
  90_000,
);

test.skipIf(chromium === undefined)(
  'behind a cache that announces ESI and leaves the include, slots are fetched',
  async () => {
    const { port } = await startServer();
    let hydrate: () => void;
    const hydrated = new Promise<void>((resolve) => (hydrate = resolve));
    const proxy = createServer((request, response) => {
      void (async () => {
        const headers = {
          cookie: request.headers.cookie ?? '',
          'surrogate-capability': 'a="ESI/1.0"',
        };
        const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, { headers });
        response.setHeader('content-type', answer.headers.get('content-type')!);
        const text = await answer.text();
        const at = text.indexOf('<esi:include');
        // The application starts while the document is loading.
        if (at !== -1) {
          response.write(text.slice(0, at));
          await hydrated;
        }
        response.end(text.slice(Math.max(at, 0)));
      })();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const { messages, open } = await startVisits(
      `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    );
    const ann = await open('/products/1', 'ann');
    await ann.statusIs('loading true false');
    expect(timesAsked(ann)).toBe(0);
    hydrate!();
    await ann.statusIs('resolved false true 2');
    expect([timesAsked(ann), await ann.items()]).toEqual([1, ['session=ann', '/products/1']]);
    expectHydrated(messages, 1);
  },
  60_000,
);

test.skipIf(chromium === undefined)(
  'a server that is mounted below its base href sends slots from an endpoint below it',
  async () => {
    const { listener } = await startServer('/shop/');
    const parent = createServer((request: IncomingMessage & { originalUrl?: string }, response) => {
      const rest = /^\/shop(\/.*)$/.exec(request.url!)?.[1];
      if (rest === undefined) return void response.writeHead(404).end();
      // As Connect does.
      Object.assign(request, { originalUrl: request.url, url: rest });
      listener(request, response);
    }).listen(0, '127.0.0.1');
    await once(parent, 'listening');
    onTestFinished(() => void parent.close());
    const { messages, open } = await startVisits(
      `http://127.0.0.1:${(parent.address() as AddressInfo).port}`,
    );
    for (const path of ['/shop/', '/shop/products/1']) {
      const visit = await open(path, 'ann');
      await visit.statusIs('resolved false true 2');
      expect(await visit.items()).toEqual(['session=ann', path]);
      expect(visit.asked.filter((each) => !each.startsWith('/shop/'))).toEqual([]);
      expect(timesAsked(visit)).toBe(1);
    }
    expectHydrated(messages, 2);
  },
  60_000,
);
