import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isShort } from '@ng-ssr/conformance/fuzz';
import { createNodeSsrServer, withInspector, withSlots } from '@ng-ssr/node/server';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';

const PATH = '/_ng-ssr/inspector';
const TOKEN = 'a-token-of-this-test';
const HOSTILE = '</script><img src=x onerror=alert(1)>';
/** What an application with a strict policy sets on all answers. */
const OF_THE_APPLICATION =
  "default-src 'none'; script-src 'nonce-abc'; require-trusted-types-for 'script'";

const NAME_OF_FOCUSED =
  "document.activeElement.ariaLabel ?? (document.activeElement.closest('label') ?? document.activeElement).textContent.trim()";

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const chromium = findChromium();
if (chromium === undefined && process.env['CI']) throw new Error(NO_CHROMIUM);

describe.skipIf(chromium === undefined)('the page of the inspector', () => {
  let browser: Browser;
  let origin: string;
  let close: () => Promise<void>;
  let renders = 0;
  /** A build without files. */
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-inspector-'));

  beforeAll(async () => {
    browser = await openBrowser(chromium!);
    const ssr = createNodeSsrServer({
      engine: (request) => {
        renders++;
        const { pathname } = new URL(request.url);
        return new Response(`<!doctype html><p>${pathname}</p>`, {
          headers: {
            'content-type': 'text/html',
            'cache-control': 's-maxage=600',
            'cache-tag': `shoes,${HOSTILE}`,
          },
        });
      },
      allowedHosts: ['localhost'],
      files: { folder },
      routeRules: {
        '/prices': { sMaxAge: 600, vary: { cookies: ['currency'] } },
        '/cart': { cache: false },
      },
      features: [
        withInspector({ path: PATH, token: TOKEN }),
        withSlots({
          items: { routes: ['/cart', '/basket'], call: '/api/items?all=yes', fill: () => 3 },
        }),
      ],
    });
    ssr.use((_request, response, next) => {
      response.setHeader('Content-Security-Policy', OF_THE_APPLICATION);
      next();
    });
    const { url } = await ssr.listen({ port: 0, announce: false, shutdown: false });
    origin = url.replace(/\/$/, '').replace('127.0.0.1', 'localhost');
    close = () => ssr.close();
    for (let page = 1; page <= 60; page++) await get(`/shoes/${page}`);
    for (const currency of ['euro', 'dollar'])
      await get('/prices', { cookie: `currency=${currency}` });
    await get('/hats/%E2%80%AEtxt.exe');
    await get(`/hats/${encodeURIComponent('<img src=x>')}`);
  });

  afterAll(async () => {
    await browser?.close();
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  async function get(path: string, headers: Record<string, string> = {}): Promise<void> {
    await (await fetch(origin + path, { headers })).arrayBuffer();
  }

  async function open(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ readonly page: Page; readonly problems: string[] }> {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(origin + PATH);
    // The browser's own word for the 401 of the page that asks for the token.
    problems.splice(0);
    return { page, problems };
  }

  async function signIn(page: Page, token = TOKEN): Promise<void> {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function signedIn(options?: Parameters<Browser['newContext']>[0]) {
    const opened = await open(options);
    await signIn(opened.page);
    await opened.page.getByText('Live', { exact: true }).waitFor();
    await opened.page.locator('#pages-rows tr td:nth-child(3)').first().waitFor();
    return opened;
  }

  async function violations(page: Page): Promise<string[]> {
    // Not as an element: the page's policy lets in no other script.
    await page.evaluate(AXE);
    const results = await page.evaluate<AxeResults>('axe.run()');
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }

  test('it opens with the token alone, and a session ends', async () => {
    const { page } = await open();
    await signIn(page, 'another-token-of-this-test');
    await page.getByRole('alert').getByText('token is wrong').waitFor();
    await signIn(page);
    await page.getByText('Live', { exact: true }).waitFor();
    const [cookie] = await page.context().cookies(origin + PATH);
    expect(cookie).toMatchObject({ path: PATH, httpOnly: true, sameSite: 'Strict' });
    expect(cookie!.value).not.toContain(TOKEN);
    expect(await page.context().cookies(origin)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.context().cookies(origin + PATH)).toEqual([]);
  });

  test('it lists, searches and orders pages, in parts', async () => {
    const { page, problems } = await signedIn();
    const paths = page.locator('#pages-rows tr td:first-child');
    await page.getByText('1 to 50 of 64 pages').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 64 of 64 pages').waitFor();
    await page.getByRole('button', { name: 'Path', exact: true }).click();
    await expect.poll(() => paths.first().textContent()).toMatch(/^\/hats\/%/);
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('Path');
    await page.getByLabel('Search').fill('SHOES/42');
    await page.getByText('1 to 1 of 1 pages').waitFor();
    expect(await paths.allTextContents()).toEqual(['/shoes/42']);
    expect(await page.locator('.tags').first().textContent()).toContain('</script>');
    expect(problems).toEqual([]);
  });

  test('variants of a page have digests of what they vary on', async () => {
    const { page, problems } = await signedIn();
    await page.getByLabel('Search').fill('/prices');
    await page.getByText('1 to 2 of 2 pages').waitFor();
    const names = await page.locator('#pages-rows tr td:first-child').allTextContents();
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^\/pricescookie currency: #[0-9a-f]{8}$/);
    expect(await page.content()).not.toMatch(/euro|dollar/);
    expect(problems).toEqual([]);
  });

  test('it shows how slots are filled', async () => {
    const { page, problems } = await signedIn();
    const cells = page.locator('#slots-rows td');
    await expect.poll(() => cells.allTextContents()).toHaveLength(7);
    const [, , , filled] = await cells.allTextContents();
    await get('/cart', { cookie: 'session=ann' });
    const facts = ['items', '/cart, /basket', '/api/items?all=yes'];
    const shown = [...facts, String(Number(filled) + 1), '0', '0', '0'];
    await expect.poll(() => cells.allTextContents()).toEqual(shown);
    expect(problems).toEqual([]);
  });

  const screens = [
    { width: 1360, height: 800 },
    { width: 390, height: 800 },
  ];
  test.each(screens)(
    'the first screen of $width px has what people ask first',
    async (viewport) => {
      const { page } = await signedIn({ viewport });
      const asked = [page.locator('#figure-ratio'), page.locator('#figure-time')];
      for (const shown of [...asked, page.getByLabel('URL or path')]) {
        const box = (await shown.boundingBox())!;
        expect(box.y + box.height).toBeLessThan(viewport.height);
      }
      await page.getByLabel('Search').fill('/shoes/8');
      const purge = page.getByRole('button', { name: 'Purge /shoes/8', exact: true });
      await purge.waitFor();
      const { x, width } = (await purge.boundingBox())!;
      expect(x + width).toBeLessThan(viewport.width);
    },
  );

  test('a purge asks first, and its page is rendered again', async () => {
    const { page, problems } = await signedIn();
    const before = renders;
    await page.getByLabel('Search').fill('/shoes/7');
    const purge = page.getByRole('button', { name: 'Purge /shoes/7', exact: true });
    await purge.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await get('/shoes/7');
    expect(renders).toBe(before);
    await purge.click();
    await page.locator('dialog').getByRole('button', { name: 'Purge' }).click();
    await page.getByText('Purged path /shoes/7, hard').waitFor();
    await get('/shoes/7');
    expect(renders).toBe(before + 1);
    expect(problems).toEqual([]);
  });

  test('it is used by keyboard alone', async () => {
    const { page, problems } = await open();
    const { keyboard } = page;
    const focused = () => page.evaluate<string>(NAME_OF_FOCUSED);
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 400; presses++) {
        await keyboard.press('Tab');
        if ((await focused()).startsWith(name)) return;
      }
      throw new Error(`Tab does not lead to ${name}`);
    };
    await tabTo('Token');
    await keyboard.type(TOKEN);
    await keyboard.press('Enter');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('#pages-rows tr td:nth-child(3)').first().waitFor();
    await tabTo('Search paths and tags');
    await keyboard.type('/shoes/9');
    await page.getByText('1 to 1 of 1 pages').waitFor();
    await tabTo('Purge /shoes/9');
    await keyboard.press('Enter');
    expect(await focused()).toBe('Cancel');
    await keyboard.press('Escape');
    expect(await focused()).toBe('Purge /shoes/9');
    await keyboard.press('Enter');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await page.getByText('Purged path /shoes/9, hard').waitFor();
    await page.getByText('0 of 0 pages').waitFor();
    expect(await focused()).toBe('Search paths and tags');
    await get('/shoes/9');
    expect(problems).toEqual([]);
  });

  test('it explains a request, and says why a purge is none', async () => {
    const { page } = await signedIn();
    await page.getByLabel('URL or path').fill('/shoes/1');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('The server sends the cached page.').waitFor();
    const key = page.locator('#explain-result dt', { hasText: 'Key' }).locator('+ dd');
    expect(await key.innerText()).toMatch(/^http:\S+\n\/shoes\/1$/);
    await page.getByLabel('URL or path').fill('/shoes/1?not=rendered');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('Caching').waitFor();
    await page.getByLabel('Value').fill('no-path');
    await page.locator('#purge-form').getByRole('button').click();
    await page.locator('dialog').getByRole('button', { name: 'Purge' }).click();
    await page.getByText(/Not purged: .*starts with/).waitFor();
  });

  test('charts and figures move under load, and a server that is away is said to be', async () => {
    const { page } = await signedIn();
    const label = page.locator('#chart-requests svg[role=img]');
    const load = setInterval(() => void get('/shoes/1').catch(() => undefined), 20);
    onTestFinished(() => clearInterval(load));
    await expect.poll(() => label.getAttribute('aria-label')).toMatch(/hit [1-9]/);
    const text = page.locator('#chart-requests');
    await expect.poll(() => text.innerText()).toMatch(/\d+\/s\s+\d+\/s\s+0\/s/);
    expect(await text.innerText()).toMatch(/\(5 min ago\)[^]*hit \d+\/s \(0\/s to [1-9]\d*\/s\)/);
    await expect.poll(() => page.locator('#figure-ratio').textContent()).toMatch(/^[1-9]\d\.\d %$/);
    expect(await page.locator('#figure-time').textContent()).toMatch(/ ms$/);
    const points = page.locator('#chart-requests .line-0').nth(0);
    expect(await points.getAttribute('points')).toMatch(/^[\d.]+,[\d.]+ /);
    await page.route('**/state', (route) => route.abort());
    await page.getByText('The server does not respond').waitFor();
    await page.unroute('**/state');
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 15_000 });
  });

  const looks = [
    ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['narrow and dark', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }],
  ] as const;
  test.each(isShort ? looks.slice(1) : looks)(
    'it has no barriers that axe finds, %s',
    async (name, options) => {
      const { page } = await open(options);
      expect(await violations(page)).toEqual([]);
      await page.reload();
      await signIn(page);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.locator('#pages-rows tr td:nth-child(3)').first().waitFor();
      const shots = process.env['NG_SSR_SCREENSHOTS'];
      if (shots !== undefined) {
        await page.screenshot({
          path: `${shots}/${name.replaceAll(' ', '-')}.png`,
          fullPage: true,
        });
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(
        options.viewport.width,
      );
      expect(await violations(page)).toEqual([]);
    },
  );
});
