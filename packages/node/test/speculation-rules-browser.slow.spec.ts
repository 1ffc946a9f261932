import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createNodeSsrServer, withSpeculationRules } from '@ng-ssr/node/server';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { findChromium, openBrowser } from '../../../examples/material-app/test/browser.ts';

const LINKS = '<a id="held" href="/held">held</a><br><a id="cold" href="/cold">cold</a>';
const EAGER =
  '<script type="speculationrules">{"prefetch":[{"urls":["/cold"],"eagerness":"immediate"}]}</script>';
const chromium = findChromium();

test.skipIf(chromium === undefined)(
  'Chromium prefetches a page that is held, and nothing that would have to be rendered',
  async () => {
    const renders: string[] = [];
    const prefetched: string[] = [];
    const finished = new EventEmitter();
    const [held, cold] = [once(finished, '/held'), once(finished, '/cold')];
    const ssr = createNodeSsrServer({
      engine: ({ url }) => {
        renders.push(new URL(url).pathname);
        return new Response('<html><body>rendered</body></html>', {
          headers: { 'content-type': 'text/html' },
        });
      },
      allowedHosts: ['localhost'],
      files: {
        folder: writeBuiltSite({
          'browser/index.html': prerendered(LINKS),
          'browser/held/index.html': prerendered('held'),
          'browser/eager/index.html': prerendered(LINKS + EAGER),
          'browser/index.csr.html': '<html></html>',
          'browser/favicon.ico': '',
        }),
      },
      features: [withSpeculationRules()],
    });
    ssr.use(({ url, headers }, response, next) => {
      if (headers['sec-purpose']?.includes('prefetch') === true) {
        prefetched.push(url!);
        response.once('finish', () => finished.emit(url!));
      }
      next();
    });
    const { port } = await ssr.listen({ port: 0, announce: false, shutdown: false });
    onTestFinished(() => ssr.close());
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const rules = page.waitForResponse((each) => each.url().endsWith('speculation-rules.json'));
    await page.goto(`http://localhost:${port}/`);
    expect((await rules).status()).toBe(200);

    // First the page that is not in the list: its prefetch would begin first.
    await page.hover('#cold');
    await page.hover('#held');
    await held;
    await page.click('#held');
    await page.waitForURL('**/held');
    expect(await page.textContent('app-root')).toBe('held');
    expect(prefetched).toEqual(['/held']);
    expect(renders).toEqual([]);

    // A rule of the application's own: the prefetch is refused, and the visit gets the page.
    await page.goto(`http://localhost:${port}/eager`);
    await cold;
    expect(renders).toEqual([]);
    await page.click('#cold');
    await page.waitForURL('**/cold');
    expect(await page.textContent('body')).toBe('rendered');
    expect(renders).toEqual(['/cold']);
  },
);
