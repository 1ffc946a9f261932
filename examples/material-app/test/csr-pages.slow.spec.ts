/** The CSR pages of real builds, where a rule keeps pages from being rendered: the browser renders them. */
import { join } from 'node:path';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { findChromium, openBrowser } from './browser.ts';
import { ENGINES } from './example-server.ts';
import { openPage } from './open-page.ts';

const chromium = findChromium();

describe.skipIf(chromium === undefined)('pages that are not rendered', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium!);
  });
  afterAll(() => browser.close());

  test.each(ENGINES)(
    '%s engine: the browser renders the page, and the server none',
    async (engine) => {
      const renders: string[] = [];
      const ssr = createNodeSsrServer({
        engine: ({ url }) => {
          renders.push(url);
          return null;
        },
        allowedHosts: ['localhost'],
        files: { folder: join(import.meta.dirname, '../dist', engine, 'browser') },
        routeRules: { '/products/**': { ssr: false } },
      });
      const { port } = await ssr.listen({ port: 0, announce: false, shutdown: false });
      onTestFinished(() => ssr.close());
      const { page, response } = await openPage(browser, `http://localhost:${port}/products/999`);
      // The status of a page is known only after a render.
      expect(response.status()).toBe(200);
      expect(response.headers()['cache-status']).toBe('ng-ssr; hit; detail=csr');
      await page.waitForSelector('app-root *');
      expect(renders.filter((url) => url.includes('/products'))).toEqual([]);
    },
  );
});
