import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import {
  buildLocalized,
  expectLocales,
  LOCALES,
  removeWorkspace,
  startProgram,
} from './localized-workspace.ts';
import { openPage, visit } from './open-page.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

let workspace: string;
let program: string;

beforeAll(async () => {
  workspace = await buildLocalized('app');
  program = join(workspace, 'dist/shop/server/server.mjs');
}, 120_000);
afterAll(() => removeWorkspace(workspace));

describe('a build with localize, under the app engine', () => {
  test.each([
    ['0', '1'],
    ['1', '1'],
    ['0', '2'],
  ])(
    'withLocales() chooses (%s render threads, %s server threads)',
    async (RENDER_THREADS, THREADS) => {
      const env = { LOCALES, RENDER_THREADS, THREADS };
      await expectLocales((await startProgram(program, env)).get);
    },
    60_000,
  );

  test("without the option Angular's engine redirects the base path alone", async () => {
    const { get } = await startProgram(program);
    const { status, headers } = await get('/', { 'accept-language': 'sv' });
    expect([status, headers.location]).toEqual([302, '/sv']);
    expect(headers.vary).toBe('X-Forwarded-Prefix, Accept-Language');
    expect((await get('/products/1', { cookie: 'lang=sv' })).status).toBe(404);
  }, 60_000);
});

describe.skipIf(chromium === undefined)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium!, ['--host-resolver-rules=MAP shop.* 127.0.0.1']);
  });
  afterAll(() => browser?.close());

  test('a link leads to the page in another language, and both hydrate', async () => {
    const { port } = await startProgram(program, { LOCALES });
    const opened = await openPage(browser, `http://localhost:${port}/en/about`);
    const { page, problems, settled } = opened;
    expect(await page.locator('h1').textContent()).toBe('About');
    await page.locator('#sv').click();
    await page.waitForURL('**/sv/about');
    await settled();
    expect(await page.locator('h1').textContent()).toBe('Om oss');
    expect(await page.locator('html').getAttribute('lang')).toBe('sv');
    await page.locator('#home').click();
    await page.waitForURL('**/sv/');
    expect(await page.locator('h1').textContent()).toBe('Välkommen');
    expect(problems).toEqual([]);
  }, 60_000);

  test('a host has the pages of its locale at its root', async () => {
    const { port } = await startProgram(program, { LOCALES });
    const origin = `http://shop.ar:${port}`;
    const { page, problems, responses } = await openPage(browser, `${origin}/about`);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(responses.map((each) => [each.url(), each.status()])).toEqual(
      expect.arrayContaining([[`${origin}/main.js`, 200]]),
    );
    await page.locator('#home').click();
    await page.waitForURL(`${origin}/`);
    expect(await page.locator('h1').textContent()).toBe('أهلا');
    const product = await visit(page, `${origin}/products/2`);
    expect(await page.locator('h1').textContent()).toBe('أهلا');
    expect([...problems, ...product.problems]).toEqual([]);
  }, 60_000);

  test('a cookie and the languages of the browser choose the locale of a path without one', async () => {
    const { port } = await startProgram(program, { LOCALES });
    const origin = `http://localhost:${port}`;
    const { page, problems } = await openPage(browser, `${origin}/products/1?a=b`, {
      locale: 'sv-SE',
    });
    expect(page.url()).toBe(`${origin}/sv/products/1?a=b`);
    await page.context().addCookies([{ name: 'lang', value: 'en', url: origin }]);
    const again = await visit(page, `${origin}/about`);
    expect(page.url()).toBe(`${origin}/en/about`);
    expect([...problems, ...again.problems]).toEqual([]);
  }, 60_000);
});
