import { describe, expect, it } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../material-app/test/browser.ts';
import { SiteBrowser } from './site-browser.ts';

const chromium = findChromium();
if (chromium === undefined && process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);

describe.skipIf(chromium === undefined)('the search of the site', () => {
  const site = new SiteBrowser(chromium);

  it('is searched by keyboard alone', async () => {
    const page = await site.open('/');
    await page.keyboard.press('/');
    // One event: each result puts the choice back to the first.
    await page.keyboard.insertText('purge');
    await page.waitForSelector('#found-0[aria-selected="true"]');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('[role="combobox"][aria-activedescendant="found-1"]');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.found', { state: 'hidden' });
    await page.fill('[role="combobox"]', 'purge');
    const heading = await page.textContent('#found-0 strong');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`:is(h1, h2, h3, h4):has-text(${JSON.stringify(heading)})`);
    await page.waitForSelector('.found', { state: 'hidden' });
    await page.context().close();
  });

  it('is opened with Ctrl+K, also while a reader types', async () => {
    const page = await site.use('/errors');
    await page.focus('#filter');
    await page.keyboard.press('Control+k');
    await page.waitForSelector('[role="combobox"]:focus');
    await page.waitForSelector('.found p:has-text("Suggestions")');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#found-0[aria-selected="true"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/start');
    await page.waitForSelector('.found', { state: 'hidden' });
    await page.context().close();
  });

  it('suggests pages where nothing is found', async () => {
    const page = await site.use('/hosts');
    await page.keyboard.press('/');
    await page.keyboard.insertText('qqxyzzy');
    await page.waitForSelector('.found p:has-text("Nothing found for “qqxyzzy”")');
    expect(await page.textContent('.search [role="status"]')).toBe('Nothing found');
    await page.click('.found li:has-text("Caching pages")');
    await page.waitForURL('**/caching');
    await page.context().close();
  });
});
