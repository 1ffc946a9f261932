import '@angular/compiler';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { bundleApp, ofBundle } from './fixture/bundle-app.ts';
import { App, toProviders } from './fixture/slots-app.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const SLOW_MS = 3000;
/** Too long for one chunk of a socket. */
const MANY = Array.from({ length: 20_000 }, (_, at) => `<item> ${at}`);
const MAIN = '<script src="main-ABCDEFGH.js" type="module"></script>';
const DOCUMENT = `<!doctype html><html><head><base href="/"><link rel="icon" href="data:,"></head>
  <body><app-root></app-root>${MAIN}</body></html>`;

async function startServer(): Promise<string> {
  vi.stubGlobal('ngServerMode', true);
  onTestFinished(() => void vi.unstubAllGlobals());
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(App, { providers: [...toProviders(), provideServerRendering()] }, context);
  const folder = writeBuiltSite({
    'browser/main-ABCDEFGH.js': await bundleApp('slots-app-browser.ts'),
  });
  const ssr = createNodeSsrServer({
    engine: async ({ url }) => {
      const options = { document: DOCUMENT, url, allowedHosts: ['localhost'] };
      const page = await renderApplication(bootstrap, options);
      return new Response(page, { headers: { 'content-type': 'text/html' } });
    },
    allowedHosts: ['localhost'],
    ...ofBundle(folder),
    routeRules: { '/**': { sMaxAge: 60 } },
    features: [
      withSlots({
        cart: {
          when: ({ url }) => !url.endsWith('/anonymous'),
          fill: async ({ url }) => {
            if (url.endsWith('/slow')) await sleep(SLOW_MS);
            if (url.endsWith('/fails')) throw new Error('cracked');
            return { items: url.endsWith('/many') ? MANY : ['mug', 'bowl'] };
          },
          timeoutMs: 10_000,
        },
      }),
    ],
    onError: () => undefined,
  });
  const { url } = await ssr.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  // The page is stored for all of them.
  return url;
}

test.skipIf(chromium === undefined)(
  'a page hydrates with its fallback, is filled, and asks for nothing more',
  async () => {
    const url = await startServer();
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const messages: string[] = [];
    const requests: string[] = [];
    page.setDefaultTimeout(8000);
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const statusOf = async (): Promise<string> =>
      (await page.textContent('#status'))!.trim().replace(/\s+/g, ' ');
    /** Opens a page, and returns when it was hydrated, and when its response ended. */
    const open = async (path: string, cart: string, status: string) => {
      requests.length = 0;
      const loaded = page.goto(new URL(path, url).href);
      await page.waitForURL(`**${path}`, { waitUntil: 'commit' });
      await page.waitForFunction(`performance.getEntriesByName('hydrated').length > 0`);
      await page.click('button');
      await expect.poll(() => page.textContent('button')).toBe('clicked 1');
      if (path === '/slow') expect(await statusOf()).toBe('loading true false');
      await loaded;
      await expect.poll(() => page.textContent('#cart')).toBe(cart);
      await expect.poll(statusOf).toBe(status);
      expect(requests.filter((each) => !each.startsWith('data:'))).toEqual([
        path,
        '/main-ABCDEFGH.js',
      ]);
      return page.evaluate(() => ({
        hydratedMs: performance.getEntriesByName('hydrated')[0]!.startTime,
        endMs: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming)
          .responseEnd,
      }));
    };
    await open('/now', '2 items', 'resolved false true 2');
    expect(await page.textContent('i')).toBe('mug');
    await open('/many', '20000 items', 'resolved false true 20000');
    await open('/fails', '0 items', 'error false false The slot cart failed on the server.');
    await open('/anonymous', '0 items', 'idle false false');
    const { hydratedMs, endMs } = await open('/slow', '2 items', 'resolved false true 2');
    expect(endMs).toBeGreaterThan(SLOW_MS);
    expect(hydratedMs).toBeLessThan(SLOW_MS);
    const hydrated = messages.filter((text) => text.includes('hydrated 1 component'));
    expect(hydrated).toHaveLength(5);
    // In development Angular says what it could not hydrate: NG05xx.
    expect(messages.filter((text) => /NG0?\d{3}|Error/.test(text))).toEqual([]);
  },
  300_000,
);
