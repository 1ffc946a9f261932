/** The real build in a real browser, for each engine and adapter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import { ADAPTERS, ENGINES, type ExampleServer, startExample } from './example-server.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const cases = ENGINES.flatMap((engine) => ADAPTERS.map((adapter) => ({ engine, adapter })));
describe.skipIf(chromium === undefined).each(cases)(
  '$adapter, $engine engine',
  ({ engine, adapter }) => {
    let server: ExampleServer;
    let browser: Browser;

    beforeAll(async () => {
      server = await startExample(engine, adapter);
      browser = await openBrowser(chromium!);
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
    });

    /** Opens a page and keeps every problem the browser reports. */
    async function open(
      path: string,
      options: BrowserContextOptions = {},
    ): Promise<{ page: Page; problems: string[]; response: Response }> {
      const page = await (await browser.newContext(options)).newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      const response = await page.goto(server.origin + path, { waitUntil: 'networkidle' });
      return { page, problems, response: response! };
    }

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
          ]
        : ['/', '/products/3'];
    test.each(paths)('%s hydrates without a word on the console', async (path) => {
      const { page, problems, response } = await open(path);
      expect(response.status()).toBe(200);
      // Angular takes this attribute away when it has adopted the server's elements.
      await page.waitForFunction(() => document.querySelector('[ngh]') === null);
      expect(await page.locator('app-root').getAttribute('ng-server-context')).not.toBeNull();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test('hydration leaves the small print of a stored page as it was rendered', async () => {
      const print = (page: Page) =>
        page.evaluate(() =>
          ['render-count', 'render-time'].map((id) => document.getElementById(id)?.textContent),
        );
      const plain = await open('/products/5', { javaScriptEnabled: false });
      const { page, problems, response } = await open('/products/5');
      await page.waitForFunction(() => document.querySelector('[ngh]') === null);
      expect(response.headers()['cache-status']).toMatch(/^ng-ssr; hit; ttl=/);
      expect(await print(plain.page)).toEqual(['1', expect.stringMatching(/^\d\d:\d\d:\d\d$/)]);
      expect(await print(page)).toEqual(await print(plain.page));

      // What the browser draws alone, the server has not fired.
      await page.locator('main h2 ~ .grid a').first().click();
      await page.waitForURL((url) => url.pathname !== '/products/5');
      await page.locator('#render-count').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
      await plain.page.context().close();
      await page.context().close();
    });

    test.runIf(adapter === 'koa')(
      'a greeting is in the language of the browser, before and after hydration',
      async () => {
        for (const [locale, heading] of [
          ['de-AT', 'Guten Tag'],
          ['fr-FR', 'Bonjour'],
          ['es-ES', 'Good day'],
        ] as const) {
          const { page, problems } = await open('/greeting', { locale });
          await page.waitForFunction(() => document.querySelector('[ngh]') === null);
          expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(heading);
          expect(problems).toEqual([]);
          await page.context().close();
        }
      },
    );

    test.runIf(adapter === 'koa')('signing in and out changes what the account says', async () => {
      const { page, problems } = await open('/account');
      const heading = page.getByRole('heading', { level: 1 });
      await page.waitForFunction(() => document.querySelector('[ngh]') === null);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading.filter({ hasText: 'Good to see you, Ada' }).waitFor();
      await page.waitForFunction(() => document.querySelector('[ngh]') === null);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await heading.filter({ hasText: 'Who is at the door?' }).waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test('the form refuses nonsense and thanks for the rest', async () => {
      const { page, problems } = await open('/');
      await page.getByRole('button', { name: 'Join the list' }).click();
      await page.getByText('Please tell us your name').waitFor();
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('Email').fill('ada@example.com');
      await page.getByRole('button', { name: 'Join the list' }).click();
      await page.getByText('Thank you, Ada').waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test('links navigate in the client, and a deep link survives a reload', async () => {
      const { page, problems } = await open('/');
      await page.evaluate(() => Object.assign(window, { stayed: true }));
      await page.getByRole('link', { name: 'Shop' }).click();
      await page.waitForURL('**/catalog');
      await page.locator('main a[href^="/products/"]').first().click();
      await page.waitForURL('**/products/*');
      const heading = await page.getByRole('heading', { level: 1 }).textContent();
      expect(await page.evaluate(() => 'stayed' in window)).toBe(true);

      const response = await page.reload({ waitUntil: 'networkidle' });
      expect(response?.status()).toBe(200);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      expect(await page.evaluate(() => 'stayed' in window)).toBe(false);
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test('a page and its assets come compressed, and a reload gets a 304', async () => {
      // Codings are made after start, brotli after gzip.
      const readCoding = async (): Promise<string | null> => {
        const answer = await fetch(`${server.origin}/large`, {
          headers: { 'accept-encoding': 'br' },
        });
        await answer.arrayBuffer();
        return answer.headers.get('content-encoding');
      };
      await expect.poll(readCoding, { timeout: 30_000 }).toBe('br');
      const page = await (await browser.newContext()).newPage();
      const seen: {
        path: string;
        encoding: string | undefined;
        cacheControl: string | undefined;
      }[] = [];
      page.on('response', (response) => {
        const headers = response.headers();
        seen.push({
          path: new URL(response.url()).pathname,
          encoding: headers['content-encoding'],
          cacheControl: headers['cache-control'],
        });
      });
      await page.goto(`${server.origin}/`, { waitUntil: 'networkidle' });
      const assets = seen.filter(({ path }) => path.endsWith('.js') || path.endsWith('.css'));
      expect(assets.length).toBeGreaterThan(1);
      for (const asset of [...assets, seen.find(({ path }) => path === '/')!]) {
        expect(asset.encoding, asset.path).toMatch(/^(br|zstd|gzip)$/);
      }
      for (const asset of assets) {
        expect(asset.cacheControl, asset.path).toBe('public, max-age=31536000, immutable');
      }

      // The browser hides a 304 behind its stored 200; the wire's status is in the extra info.
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      const status = new Promise<number>((resolve) => {
        devtools.on('Network.responseReceivedExtraInfo', ({ statusCode }) => resolve(statusCode));
      });
      await page.reload({ waitUntil: 'networkidle' });
      expect(await status).toBe(304);
      await page.context().close();
    });

    test('an unknown path shows the application’s own page with 404', async () => {
      const { page, response } = await open('/no/such/page');
      expect(response.status()).toBe(404);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.context().close();
    });

    test('the client-only page shows what the browser knows', async () => {
      const { page, problems, response } = await open('/client');
      expect(response.status()).toBe(200);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });
  },
);
