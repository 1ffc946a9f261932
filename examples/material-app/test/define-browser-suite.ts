/** The real build in a real browser, for each adapter. */
import { isShort } from '@ng-ssr/conformance/fuzz';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import { encodedBuild } from './encoded-build.ts';
import { ADAPTERS_OF, type Engine, type ExampleServer, startExample } from './example-server.ts';
import { forget, openPage, type OpenPage, visit } from './open-page.ts';

/** In a short run one adapter of each kind: built-app.spec.ts shows what the others answer. */
const SHORT: Readonly<Record<Engine, readonly string[]>> = {
  app: ['koa', 'hono'],
  common: ['koa'],
};

/** Defines the tests of one engine: a spec each, so that they run side by side. */
export function defineBrowserSuite(engine: Engine): void {
  const chromium = findChromium();
  if (chromium === undefined) {
    if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
    console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
  }

  describe.skipIf(chromium === undefined)(`${engine} engine`, () => {
    const build = encodedBuild(engine);
    let browser: Browser;
    beforeAll(async () => void (browser = await openBrowser(chromium!)));
    afterAll(() => browser?.close());

    const adapters = ADAPTERS_OF[engine].filter(
      (adapter) => !isShort || SHORT[engine].includes(adapter),
    );
    describe.each(adapters)('%s', (adapter) => {
      let server: ExampleServer;
      let shared: Page;
      beforeAll(async () => {
        server = await startExample(engine, adapter, {}, build);
        shared = await (await browser.newContext()).newPage();
      });
      beforeEach(() => forget(shared));
      afterAll(async () => {
        await shared?.context().close();
        await server?.stop();
      });

      const open = (path: string): Promise<OpenPage> => visit(shared, server.origin + path);
      const openAlone = (path: string, options?: BrowserContextOptions): Promise<OpenPage> =>
        openPage(browser, server.origin + path, options);

      // What a page is made of does not depend on the adapter: one of them opens every page.
      const paths =
        adapter === 'koa'
          ? [
              '/',
              '/about',
              '/catalog',
              '/guide',
              '/large',
              '/products/3',
              '/lazy',
              '/greeting',
              '/account',
              '/live/3',
              '/live/account',
            ]
          : ['/', '/products/3'];
      test.each(paths)('%s hydrates without a word on the console', async (path) => {
        const { page, problems, response } = await open(path);
        expect(response.status()).toBe(200);
        expect(await page.locator('app-root').getAttribute('ng-server-context')).not.toBeNull();
        expect(problems).toEqual([]);
      });

      // The three that follow depend on the bytes of a page and its scripts alone. That every adapter answers a
      // stored page with the bytes of its render, and a deep link with 200, built-app.spec.ts shows.
      const isFirst = adapter === 'koa';

      test.runIf(isFirst)(
        'hydration leaves the small print of a stored page as it was rendered',
        async () => {
          const print = (page: Page) =>
            page.evaluate(() =>
              ['render-count', 'render-time'].map((id) => document.getElementById(id)?.textContent),
            );
          const plain = await openAlone('/products/5', { javaScriptEnabled: false });
          const { page, problems, response } = await open('/products/5');
          expect(response.headers()['cache-status']).toMatch(/^ng-ssr; hit; ttl=/);
          expect(await print(plain.page)).toEqual(['1', expect.stringMatching(/^\d\d:\d\d:\d\d$/)]);
          expect(await print(page)).toEqual(await print(plain.page));

          // What the browser draws alone, the server has not fired.
          await page.locator('main h2 ~ .grid a').first().click();
          await page.waitForURL((url) => url.pathname !== '/products/5');
          await page.locator('#render-count').waitFor({ state: 'detached' });
          expect(problems).toEqual([]);
        },
      );

      test.runIf(adapter === 'koa')(
        'a greeting is in the language of the browser, before and after hydration',
        async () => {
          for (const [locale, heading] of [
            ['de-AT', 'Guten Tag'],
            ['fr-FR', 'Bonjour'],
            ['es-ES', 'Good day'],
          ] as const) {
            const { page, problems } = await openAlone('/greeting', { locale });
            expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(heading);
            expect(problems).toEqual([]);
          }
        },
      );

      test.runIf(isFirst)(
        'hydration repeats none of the calls that the render has made, and shows what they said',
        async () => {
          const cookie = { name: 'user', value: 'Ada', url: server.origin };
          for (const path of ['/live/5', '/live/account']) {
            const plain = await openPage(browser, 'about:blank', { javaScriptEnabled: false });
            await plain.page.context().addCookies([cookie]);
            await plain.page.goto(server.origin + path);
            await shared.context().addCookies([cookie]);
            const { page, problems, responses } = await open(path);
            const text = (of: Page) => of.locator('main').innerText();
            // The small print has a number of each render.
            const withoutPrint = (shown: string) => shown.replace(/Fired as no.*/, '');
            expect(withoutPrint(await text(page))).toBe(withoutPrint(await text(plain.page)));
            expect(await text(page)).toContain(path === '/live/5' ? 'Ramen Bowl' : 'Ada');
            const urls = responses.map((each) => new URL(each.url()).pathname);
            expect(urls.filter((each) => each.startsWith('/api/'))).toEqual([]);
            expect(problems).toEqual([]);
          }
        },
      );

      test.runIf(isFirst)(
        'the basket and the suggestions of a visitor come with a cached page',
        async () => {
          const cookie = { name: 'user', value: 'Ada', url: server.origin };
          await shared.context().addCookies([cookie]);
          const { page, problems, responses, settled } = await open('/products/5');
          await page.locator('.basket', { hasText: /Basket\s*3/ }).waitFor();
          await page.getByRole('heading', { name: 'Picked for you' }).waitFor();
          await page.getByRole('link', { name: 'Ada’s account' }).waitFor();
          expect(await page.locator('h2 + .grid app-product-card').count()).toBe(4);
          const asked = responses.map((each) => new URL(each.url()).pathname);
          expect(asked.filter((each) => each.startsWith('/api/'))).toEqual([]);

          // What this browser takes out stays out.
          await page.locator('.basket').click();
          await page.getByRole('button', { name: 'One Evening Teapot less' }).click();
          await page.locator('.basket', { hasText: /Basket\s*2/ }).waitFor();
          await page.reload();
          await settled();
          await page.locator('.basket', { hasText: /Basket\s*2/ }).waitFor();
          expect(await page.getByText('Evening Teapot').count()).toBe(0);
          await page.evaluate(() => localStorage.clear());
          expect(problems).toEqual([]);
        },
      );

      test.runIf(isFirst)(
        'HttpClient gets what follows the page, and the browser does not ask for it',
        async () => {
          const cookie = { name: 'user', value: 'Ada', url: server.origin };
          await shared.context().addCookies([cookie]);
          const { page, problems, responses } = await open('/live/slow');
          await page.getByText('Harbour Post is with you in 2 days').waitFor();
          const asked = responses.map((each) => new URL(each.url()).pathname);
          expect(asked.filter((each) => each.startsWith('/api/'))).toEqual([]);
          expect(problems).toEqual([]);
        },
      );

      test.runIf(isFirst)(
        'the browser asks again for what the server has not waited for',
        async () => {
          const { page, problems, response } = await open('/live/slow?ms=900');
          expect(await response.text()).toContain('Usually three to five days');
          await page.getByText('Harbour Post is with you in 2 days').waitFor();
          expect(problems).toEqual([]);
        },
      );

      test.runIf(adapter === 'koa')(
        'signing in and out changes what the account says',
        async () => {
          const { page, problems, settled } = await open('/account');
          const heading = page.getByRole('heading', { level: 1 });
          await page.getByLabel('Your name').fill('Ada');
          await page.getByRole('button', { name: 'Sign in' }).click();
          await heading.filter({ hasText: 'Good to see you, Ada' }).waitFor();
          await settled();
          await page.getByRole('button', { name: 'Sign out' }).click();
          await heading.filter({ hasText: 'Who is at the door?' }).waitFor();
          expect(problems).toEqual([]);
        },
      );

      test.runIf(isFirst)('the form refuses nonsense and thanks for the rest', async () => {
        const { page, problems } = await open('/');
        await page.getByRole('button', { name: 'Join the list' }).click();
        await page.getByText('Please tell us your name').waitFor();
        await page.getByLabel('Name').fill('Ada');
        await page.getByLabel('Email').fill('ada@example.com');
        await page.getByRole('button', { name: 'Join the list' }).click();
        await page.getByText('Thank you, Ada').waitFor();
        expect(problems).toEqual([]);
      });

      test.runIf(isFirst)(
        'links navigate in the client, and a deep link survives a reload',
        async () => {
          const { page, problems, settled } = await open('/');
          await page.evaluate(() => Object.assign(window, { stayed: true }));
          await page.getByRole('link', { name: 'Shop' }).click();
          await page.waitForURL('**/catalog');
          await page.locator('main a[href^="/products/"]').first().click();
          await page.waitForURL('**/products/*');
          const heading = page.locator('app-product').getByRole('heading', { level: 1 });
          const name = await heading.textContent();
          expect(await page.evaluate(() => 'stayed' in window)).toBe(true);

          const response = await page.reload();
          await settled();
          expect(response?.status()).toBe(200);
          expect(await heading.textContent()).toBe(name);
          expect(await page.evaluate(() => 'stayed' in window)).toBe(false);
          expect(problems).toEqual([]);
        },
      );

      test('a page and its assets come compressed, and a reload gets a 304', async () => {
        // Encodings are there a moment after the start, brotli after gzip.
        const readEncoding = async (): Promise<string | null> => {
          const answer = await fetch(`${server.origin}/large`, {
            headers: { 'accept-encoding': 'br' },
          });
          await answer.arrayBuffer();
          return answer.headers.get('content-encoding');
        };
        await expect.poll(readEncoding).toBe('br');
        const { page, response, responses } = await openAlone('/');
        const assets = responses.filter((each) => /\.(js|css)$/.test(each.url()));
        expect(assets.length).toBeGreaterThan(1);
        for (const each of [response, ...assets]) {
          expect(each.headers()['content-encoding'], each.url()).toMatch(/^(br|zstd|gzip)$/);
        }
        for (const each of assets) {
          const expected = 'public, max-age=31536000, immutable';
          expect(each.headers()['cache-control'], each.url()).toBe(expected);
        }

        // The browser hides a 304 behind its stored 200; the wire's status is in the extra info.
        const devtools = await page.context().newCDPSession(page);
        await devtools.send('Network.enable');
        const status = new Promise<number>((resolve) => {
          devtools.on('Network.responseReceivedExtraInfo', ({ statusCode }) => resolve(statusCode));
        });
        await page.reload();
        expect(await status).toBe(304);
      });

      test('an unknown path shows the application’s own page with 404', async () => {
        const { page, response } = await open('/no/such/page');
        expect(response.status()).toBe(404);
        await page.getByRole('heading', { level: 1 }).waitFor();
      });

      test('the client-only page shows what the browser knows', async () => {
        const { page, problems, response, settled } = await open('/client');
        expect(response.status()).toBe(200);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settled();
        expect(problems).toEqual([]);
      });
    });
  });
}
