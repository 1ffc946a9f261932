import { createHash, X509Certificate } from 'node:crypto';
import { createSecureServer } from 'node:http2';
import { createNodeSsrServer, withEarlyHints } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import { findChromium, openBrowser } from '../../../examples/material-app/test/browser.ts';
import { selfSigned } from './self-signed.ts';

// Hashed names, as the CLI writes them: others would be validated again for the page.
const DOCUMENT = `<!doctype html><html><head><base href="/"><link rel="stylesheet" href="styles-ABCDEFGH.css">
</head><body>page<script type="module" src="main-ABCDEFGH.js"></script></body></html>`;

const chromium = findChromium();
const pair = selfSigned();

test.skipIf(chromium === undefined || pair === undefined)(
  'Chromium loads styles and scripts while the page is rendered',
  async () => {
    const asked: string[] = [];
    let isRendered = false;
    let bothAsked!: () => void;
    // The render ends only when the browser has asked for both.
    const both = new Promise<void>((resolve) => (bothAsked = resolve));
    const ssr = createNodeSsrServer({
      engine: async () => {
        await both;
        isRendered = true;
        return new Response(DOCUMENT, { headers: { 'content-type': 'text/html' } });
      },
      allowedHosts: ['localhost'],
      files: {
        folder: writeBuiltSite({
          'browser/index.csr.html': DOCUMENT,
          'browser/styles-ABCDEFGH.css': 'body { color: rgb(1, 2, 3) }',
          'browser/main-ABCDEFGH.js': 'document.title = "loaded"',
        }),
      },
      features: [withEarlyHints()],
    });
    ssr.use(({ url }, _response, next) => {
      if (url === '/styles-ABCDEFGH.css' || url === '/main-ABCDEFGH.js')
        asked.push(`${url} ${isRendered}`);
      if (asked.length === 2) bothAsked();
      next();
    });
    const { url } = await ssr.listen({
      port: 0,
      server: createSecureServer({ ...pair! }, ssr.reqHandler),
      announce: false,
      shutdown: false,
    });
    onTestFinished(() => ssr.close());
    // Chromium ignores hints on connections whose certificate it does not trust.
    const { publicKey } = new X509Certificate(pair!.cert);
    const key = publicKey.export({ type: 'spki', format: 'der' });
    const trusted = createHash('sha256').update(key).digest('base64');
    const browser = await openBrowser(chromium!, [
      `--ignore-certificate-errors-spki-list=${trusted}`,
    ]);
    onTestFinished(() => browser.close());

    const page = await browser.newPage();
    await page.goto(`${url}page`);
    // While it is rendered, and not once more for the page.
    expect(asked.sort()).toEqual(['/main-ABCDEFGH.js false', '/styles-ABCDEFGH.css false']);
    expect(await page.title()).toBe('loaded');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)');
  },
);
