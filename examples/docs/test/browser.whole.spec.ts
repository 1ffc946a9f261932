import { describe, expect, it } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../material-app/test/browser.ts';
import { SiteBrowser, whenStarted } from './site-browser.ts';

const chromium = findChromium();
if (chromium === undefined && process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
const suite =
  chromium === undefined
    ? `the site in a browser (skipped: ${NO_CHROMIUM})`
    : 'the site in a browser';

describe.skipIf(chromium === undefined)(suite, () => {
  const site = new SiteBrowser(chromium);
  const { messages } = site;

  it('shows how the document was answered without its application, and then the headers', async () => {
    const page = await site.open('/caching');
    await page.waitForLoadState('networkidle');
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.endsWith('.js')),
    );
    expect(scripts).toEqual([expect.stringMatching(/^\/main-/)]);
    expect(await page.textContent('.answer summary')).toMatch(
      /^\s*This page was served from memory in [\d,.]+ [µm]s\s*$/,
    );
    await page.click('.answer summary');
    await page.waitForSelector('.answer dt:text-is("content-security-policy")');
    expect(await page.textContent('.answer dt:text-is("cache-status") + dd')).toBe('ng-ssr; hit');
    await page.context().close();
  });

  it('goes to other pages without loading a document, and asks the server for their answer', async () => {
    const page = await site.use('/');
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.click('.text a[href="/caching"]');
    await page.waitForSelector('h1:has-text("Caching pages")');
    const asked = page.waitForRequest(
      (request) => request.method() === 'HEAD' && request.url().endsWith('/calls'),
    );
    await page.click('.side a[href="/calls"]');
    await page.waitForURL('**/calls');
    expect(new URL((await asked).url()).pathname).toBe('/calls');
    await page.waitForSelector('h1:has-text("API calls")');
    expect(await page.title()).toMatch(/^API calls.* · ng-ssr$/);
    expect(await page.getAttribute('.side a[aria-current]', 'href')).toBe('/calls');
    expect(await page.getAttribute('link[rel="canonical"]', 'href')).toMatch(/\/calls$/);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.click('.next');
    await page.waitForSelector('.previous:has-text("API calls")');
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
    await page.context().close();
  });

  it('does what was asked of it before its application was there', async () => {
    const page = await site.open('/benchmarks');
    let release: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*.js', async (route) => {
      await released;
      await route.continue();
    });
    const before = await page.getAttribute('.chart svg', 'aria-label');
    await page.evaluate(() => scrollTo(0, 200));
    await page.getByLabel('Scenario').selectOption('render');
    await page.getByRole('button', { name: /colors/ }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('purge');
    const scrolled = await page.evaluate(() => scrollY);
    release!();
    await page.waitForSelector('#found-0[aria-selected="true"]');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await page.waitForFunction(
      (label) => document.querySelector('.chart svg')?.getAttribute('aria-label') !== label,
      before,
    );
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    await page.context().close();
  });

  it('leads to documents where its application cannot be loaded', async () => {
    const page = await site.open('/hosts');
    await page.route(/\/chunk-/, (route) => route.abort());
    await page.mouse.move(5, 5);
    await page.click('.side a[href="/caching"]');
    await page.waitForSelector('h1:has-text("Caching pages")');
    expect(messages.splice(0).join('\n')).toMatch('Failed to fetch dynamically imported module');
    await page.context().close();
  });

  it('reaches the content by its first link', async () => {
    const page = await site.open('/hosts');
    await page.keyboard.press('Tab');
    expect(await page.textContent(':focus')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#content:focus');
    expect(new URL(page.url()).pathname).toBe('/hosts');
    await page.context().close();
  });

  it('is as dark as the system, or as the reader chooses, from the first paint', async () => {
    const page = await site.open('/hosts', { colorScheme: 'dark' });
    const color = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await color();
    await page.getByRole('button', { name: /colors/ }).click();
    await whenStarted(page);
    expect(await color()).toBe('rgb(255, 255, 255)');
    // Without the application: what decides is in the document.
    await page.route('**/*.js', (route) => route.abort());
    await page.reload({ waitUntil: 'domcontentloaded' });
    expect(await color()).toBe('rgb(255, 255, 255)');
    expect(dark).not.toBe('rgb(255, 255, 255)');
    messages.splice(0, messages.length, ...messages.filter((text) => !text.includes('ERR_FAILED')));
    await page.context().close();
  });

  it('has a menu on phones, and nothing that is wider than the screen', async () => {
    const page = await site.open('/options', { viewport: { width: 390, height: 844 } });
    await page.click('.menu-button');
    expect(await page.isVisible('dialog.menu:modal')).toBe(true);
    const showsCurrentPage = (): Promise<boolean> =>
      page.evaluate(() => {
        const link = document.querySelector('dialog.menu [aria-current]')!.getBoundingClientRect();
        return link.top >= 0 && link.bottom <= innerHeight;
      });
    await expect.poll(showsCurrentPage).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('dialog.menu')).toBe(false);
    await page.click('.menu-button');
    await page.click('dialog.menu a[href="/benchmarks"]');
    await page.waitForURL('**/benchmarks');
    expect(await page.isVisible('dialog.menu')).toBe(false);
    await page.waitForSelector('.chart svg');
    for (const path of ['/', '/options', '/benchmarks', '/api/core', '/deploy/kubernetes']) {
      await page.goto(site.origin + path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, path).toBeLessThanOrEqual(0);
    }
    await page.context().close();
  });

  it('draws the chart that a reader chooses, with its numbers as a table', async () => {
    const page = await site.open('/benchmarks');
    const rows = async () => page.locator('.chart tbody tr').count();
    expect(await page.locator('.chart rect').count()).toBe(await rows());
    const before = await page.getAttribute('.chart svg', 'aria-label');
    await page.getByLabel('Scenario').focus();
    await page.getByLabel('Scenario').selectOption('render');
    await page.waitForFunction(
      (label) => document.querySelector('.chart svg')?.getAttribute('aria-label') !== label,
      before,
    );
    expect(await page.getAttribute('.chart svg', 'aria-label')).toMatch(/^CPU per render/);
    expect(await page.locator('.chart rect').count()).toBe(await rows());
    await page.context().close();
  });

  it('is read without scripts: pages, links and the menu', async () => {
    const page = await site.open('/', {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    expect(await page.isVisible('h1')).toBe(true);
    expect(await page.isVisible('app-search')).toBe(false);
    await page.click('.menu-button');
    await page.click('dialog.menu a[href="/caching"]');
    expect(await page.textContent('h1')).toContain('Caching pages');
    expect(await page.locator('.chart').count()).toBe(0);
    await page.context().close();
  });

  it('has said nothing on the console', () => {
    expect(messages).toEqual([]);
  });
});
