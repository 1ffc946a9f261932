import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../material-app/test/browser.ts';
import { SiteBrowser } from './site-browser.ts';

const chromium = findChromium();
if (chromium === undefined && process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);

describe.skipIf(chromium === undefined)('the code on the pages', () => {
  const site = new SiteBrowser(chromium);

  const shown = (page: Page): Promise<string[]> =>
    page.locator('.tabs >> nth=0 >> .code:visible').allTextContents();

  it('has tabs: a choice is that of all pages, and of the next visit', async () => {
    const page = await site.open('/caching');
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/express')]);
    await page.getByLabel('Fastify').first().check();
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/fastify')]);
    await page.goto(`${site.origin}/page-errors`);
    await page.mouse.move(5, 5);
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/fastify')]);
    await page.click('.side a[href="/caching"]');
    await page.waitForSelector('h1:has-text("Caching pages")');
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/fastify')]);
    await page.context().close();
  });

  it('has the chosen tab at the first paint, so that nothing moves', async () => {
    const page = await site.open('/caching');
    await page.getByLabel('Koa').first().check();
    // The script that the server's document contains decides.
    await page.route('**/*.js', (route) => route.abort());
    await page.reload();
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/koa')]);
    await page.context().close();
  });

  it('shows the first tab without scripts, and no buttons that do nothing', async () => {
    const page = await site.open('/caching', { javaScriptEnabled: false });
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/express')]);
    expect(await page.locator('.copy:visible').count()).toBe(0);
    await page.getByLabel('Koa').first().check();
    expect(await shown(page)).toEqual([expect.stringContaining('@ng-ssr/koa')]);
    await page.context().close();
  });

  it('has the name of its file, and is copied without it', async () => {
    const page = await site.open('/caching', {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    expect(await page.textContent('.code .file')).toBe('src/server.ts');
    await page.locator('.code:visible .copy').first().click();
    await page.waitForSelector('.copy:has-text("Copied")');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^import .* from '@ng-ssr\/express';\n/);
    await page.context().close();
  });

  it.each(['/', '/caching', '/options', '/errors', '/start'])(
    'of %s is readable on a phone: what is wider than the screen can be scrolled',
    async (path) => {
      const page = await site.open(path, { viewport: { width: 390, height: 844 } });
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('pre, .table')]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .filter((box) => getComputedStyle(box).overflowX !== 'auto')
          .map(({ textContent }) => textContent),
      );
      expect(cut).toEqual([]);
      const commands = await page.evaluate(() =>
        [...document.querySelectorAll('pre.wrap')].filter(
          (box) => box.scrollWidth > box.clientWidth,
        ),
      );
      expect(commands).toEqual([]);
      await page.context().close();
    },
  );
});
