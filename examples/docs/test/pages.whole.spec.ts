import { describe, expect, it } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../material-app/test/browser.ts';
import { findBarriers, SiteBrowser } from './site-browser.ts';

const chromium = findChromium();
if (chromium === undefined && process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);

describe.skipIf(chromium === undefined)('the pages of the site', () => {
  const site = new SiteBrowser(chromium);

  it('filters the errors by the words of a message', async () => {
    const page = await site.use('/errors');
    const all = await page.locator('h3:visible').count();
    await page.fill('#filter', 'port 4000 in use');
    await page.waitForSelector('.filter p:has-text("1 error matches.")');
    expect(await page.locator('h3:visible').allTextContents()).toEqual(['NG_SSR_START_FAILED']);
    expect(await page.locator('article h2:visible').count()).toBe(1);
    await page.fill('#filter', 'qqxyzzy');
    await page.waitForSelector('.filter p:has-text("No error matches.")');
    await page.fill('#filter', '');
    await page.waitForSelector(`.filter p:has-text("${all} errors.")`);
    expect(await page.locator('h3:visible').count()).toBe(all);
    await page.context().close();
  });

  it('suggests pages for an address that does not exist, and the search', async () => {
    const page = await site.open('/guides/cacheing');
    expect(await page.locator('[data-near] a').first().getAttribute('href')).toBe('/caching');
    await page.click('.open-search');
    await page.waitForSelector('[role="combobox"]:focus');
    await page.context().close();
  });

  it.each(['/options', '/migrating/spartacus'])(
    'shows %s in the list at its side',
    async (path) => {
      const page = await site.open(path);
      const isVisible = (): Promise<boolean> =>
        page.evaluate(() => {
          const side = document.querySelector('.side')!.getBoundingClientRect();
          const link = document.querySelector('.side [aria-current]')!.getBoundingClientRect();
          return link.top >= side.top && link.bottom <= Math.min(side.bottom, innerHeight);
        });
      await expect.poll(isVisible).toBe(true);
      await page.context().close();
    },
  );

  it('opens folded options for the address of one', async () => {
    const page = await site.open('/options#cache-maxbytes');
    expect(await page.isVisible('h4:has-text("cache.maxBytes")')).toBe(true);
    const started = await site.use('/caching');
    await started.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/options#files-maxbytes';
      link.textContent = 'files.maxBytes';
      document.querySelector('.text')!.prepend(link);
    });
    await started.click('a[href="/options#files-maxbytes"]');
    await started.waitForSelector('h4:has-text("files.maxBytes")', { state: 'visible' });
    await page.context().close();
    await started.context().close();
  });

  it.each(['light', 'dark'] as const)('has no barriers that axe finds, %s', async (colorScheme) => {
    for (const path of ['/', '/caching', '/options', '/errors', '/benchmarks', '/404']) {
      const page = await site.open(path, { colorScheme });
      expect(await findBarriers(page), path).toEqual([]);
      await page.context().close();
    }
  });

  it.each(['/', '/caching', '/options', '/errors', '/benchmarks'])(
    'sends at most 25 KB for %s, and moves nothing while it loads',
    async (path) => {
      const page = await site.open(path);
      await page.waitForLoadState('networkidle');
      const { bytes, moved } = await page.evaluate(() => {
        const entries = ['navigation', 'resource'].flatMap((type) =>
          performance.getEntriesByType(type),
        ) as PerformanceResourceTiming[];
        const images = /\.(svg|png)$/;
        const counted = entries.filter(({ name }) => !images.test(name));
        const shifts = new PerformanceObserver(() => undefined);
        shifts.observe({ type: 'layout-shift', buffered: true });
        const values = shifts.takeRecords() as (PerformanceEntry & { readonly value: number })[];
        return {
          bytes: counted.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
          moved: values.reduce((sum, { value }) => sum + value, 0),
        };
      });
      expect(bytes).toBeLessThan(25 * 1024);
      expect(moved).toBeLessThan(0.01);
      await page.context().close();
    },
  );

  it('has said nothing on the console', () => {
    // The browser's own word for a page of status 404.
    const others = site.messages.filter((text) => !text.endsWith('a status of 404 (Not Found)'));
    expect(others).toEqual([]);
  });
});
