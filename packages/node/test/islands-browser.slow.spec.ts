import '@angular/compiler';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { createNodeSsrServer, renderIsland, withSlots } from '@ng-ssr/node';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { bundleApp, ofBundle } from './fixture/bundle-app.ts';
import { type IslandPage, toIslandPage } from './fixture/island-pages.ts';
import { toComponents, toProviders } from './fixture/islands-app.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const PAGES = 50;
/** A page with more HTML than a parser reads at once. */
const LARGE = PAGES;
const MANY = Array.from({ length: 5000 }, (_, at) => `item ${at}`);
/** A page whose HTML is not what the application expects. */
const BROKEN = PAGES + 1;
const MAIN = '<script src="main-ABCDEFGH.js" type="module"></script>';
/** As `ng build` puts it into documents: it keeps events for the application. */
const CONTRACT = readFileSync(
  createRequire(import.meta.url).resolve('@angular/core/event-dispatch-contract.min.js'),
  'utf8',
);
const DOCUMENT = `<!doctype html><html><head><base href="/"><link rel="icon" href="data:,"></head>
  <body><script type="text/javascript" id="ng-event-dispatch-contract">${CONTRACT}</script><app-root></app-root>${MAIN}</body></html>`;

const random = new Random(seed);
const pages = Array.from({ length: PAGES }, (_, index) => toIslandPage(random, index));
const list: IslandPage = {
  ...pages[0]!,
  host: '<ul ISLAND></ul>',
  island: '@for (x of d().items; track x) { <li>{{ x }}</li> }',
  hydrated: '@if (d().items.length > 9) { <b>many</b> } @else { few }',
  isDeferred: false,
};
pages.push({ ...list, data: { ...list.data, items: MANY } }, list);
const components = pages.map(toComponents);
const islands = components.map(({ island }) => renderIsland(island));

const errors: unknown[] = [];

/** A policy without `unsafe-inline`. The compiler, which builds do not have in browsers, needs `unsafe-eval`. */
function policyOf(html: string): string {
  const scripts = [
    ...html.matchAll(/<script(?![^>]*\b(?:src|application\/json))[^>]*>([^]*?)<\/script>/g),
  ];
  const hashes = scripts.map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  );
  return (
    `default-src 'none'; img-src data:; base-uri 'self'; style-src 'self'; ` +
    `script-src 'self' 'unsafe-eval' ${hashes.join(' ')}`
  );
}

const indexOf = (request: string): number => Number(new URL(request).pathname.slice(1));

async function startServer(): Promise<string> {
  vi.stubGlobal('ngServerMode', true);
  onTestFinished(() => void vi.unstubAllGlobals());
  const folder = writeBuiltSite({
    'browser/main-ABCDEFGH.js': await bundleApp('islands-app-browser.ts', {
      ISLAND_PAGES: JSON.stringify(pages),
    }),
  });
  const ssr = createNodeSsrServer({
    engine: async ({ url: asked }) => {
      const index = indexOf(asked);
      const providers = [...toProviders(), provideServerRendering()];
      const bootstrap = (context: BootstrapContext) =>
        bootstrapApplication(components[index]!.root, { providers }, context);
      const options = { document: DOCUMENT, url: asked, allowedHosts: ['localhost'] };
      const html = await renderApplication(bootstrap, options);
      const page = index === BROKEN ? html.replace(/(<app-hydrated[^>]*>)/, '$1<b></b>') : html;
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(page),
      };
      return new Response(page, { headers });
    },
    allowedHosts: ['localhost'],
    ...ofBundle(folder),
    routeRules: { '/**': { sMaxAge: 60 } },
    features: [
      withSlots({
        island: {
          when: isVisitor,
          fill: async (request) => pages[indexOf(request.url)]!.data,
          html: (data, request, context) => islands[indexOf(request.url)]!(data, request, context),
          timeoutMs: 60_000,
        },
        data: { when: isVisitor, fill: async (request) => pages[indexOf(request.url)]!.data },
      }),
    ],
    onError: (error) => void errors.push(error),
  });
  const { url } = await ssr.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  return url;
}

function isVisitor(request: Request): boolean {
  return !request.url.includes('anonymous');
}

/** The elements below one, with what they show, as text. Runs in the browser. */
const OUTLINE = `(selector) => {
  const outline = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1) return '';
    const shown = ['title', 'href', 'y'].map((name) => node.getAttribute(name)).join();
    return '<' + node.localName + ' ' + shown + '>' + inner(node) + '</>';
  };
  const inner = (node) => [...node.childNodes].map(outline).join('').replace(/\\s+/g, ' ');
  const found = document.querySelectorAll(selector);
  if (found.length !== 1) throw new Error(selector + ': ' + found.length);
  return inner(found[0]).replace(/<s ,,>.*?<\\/>/, '');
}`;
const outlineOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`(${OUTLINE})(${JSON.stringify(selector)})`);

const POLL = { timeout: 30_000 };
const ISLAND = '[app-island]';
const HYDRATED = 'app-hydrated';

test.skipIf(chromium === undefined)(
  `${PAGES} pages with islands: filled without JavaScript, hydrated with it, and the same`,
  async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const url = await startServer();
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const blind = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(30_000);
    const messages: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));

    for (const [index, { data, isDeferred }] of pages.slice(0, LARGE + 1).entries()) {
      const at = `page ${index}, NG_SSR_FUZZ_SEED=${seed}`;
      const href = new URL(String(index), url).href;
      await blind.goto(`${href}?anonymous`);
      const fallback = await outlineOf(blind, ISLAND);
      await blind.goto(href);
      const filled = await outlineOf(blind, ISLAND);
      expect(filled, at).not.toBe(fallback);
      const stale = await outlineOf(blind, HYDRATED);

      messages.length = requests.length = 0;
      const isEarly = index % 5 === 0;
      let release = (): void => undefined;
      const clicked = new Promise<void>((resolve) => (release = resolve));
      if (isEarly)
        await page.route('**/main-*.js', (route) => clicked.then(() => route.continue()));
      const loaded = page.goto(href);
      loaded.catch(() => undefined);
      await page.waitForURL(href, { waitUntil: 'commit' });
      if (isEarly) {
        await page.click('#now');
        await page.waitForFunction(`document.querySelector('template[for]') === null`);
        expect(await outlineOf(page, ISLAND), at).toBe(filled);
        release();
      }
      await page.waitForFunction(`performance.getEntriesByName('hydrated').length > 0`);
      if (!isEarly) await page.click('#now');
      await expect.poll(() => page.textContent('#now'), { ...POLL, message: at }).toBe('clicked 1');
      await loaded;
      await page.unrouteAll();
      const status = `resolved ${data.kind} true`;
      await expect
        .poll(() => page.textContent(`${HYDRATED} > s`), { ...POLL, message: at })
        .toBe(status);
      expect(await outlineOf(page, HYDRATED), at).not.toBe(stale);
      if (isDeferred) expect(await outlineOf(page, ISLAND), at).toBe(filled);
      await page.click('#later');
      await expect.poll(() => page.textContent('#later'), { ...POLL, message: at }).toBe('later 1');
      expect(await outlineOf(page, ISLAND), at).toBe(filled);
      expect(await isAngulars(page), at).toBe(true);
      // Without a moment of the fallback, of which animations would keep elements.
      expect(await page.evaluate('islandAtFirst'), at).toBe(data.items.length);
      expect(
        requests.filter((each) => !each.startsWith('data:')),
        at,
      ).toEqual([`/${index}`, '/main-ABCDEFGH.js']);
      expect(
        messages.filter((text) => text.startsWith('Angular hydrated')),
        at,
      ).toHaveLength(1);
      expect(messages.filter(isProblem), at).toEqual([]);
      if (index === LARGE) expect(await page.locator('li').count()).toBe(MANY.length);
    }

    expect(errors).toEqual([]);
    messages.length = 0;
    await page.goto(new URL(String(BROKEN), url).href);
    await expect
      .poll(() => messages.some((text) => /NG05\d\d/.test(text) && isProblem(text)))
      .toBe(true);
  },
  300_000,
);

const isProblem = (text: string): boolean => /NG0?\d{3}|Error|Content Security|violates/.test(text);

/** Whether all of an island is made by Angular, and nothing by the parser. */
function isAngulars(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const island = document.querySelector('${ISLAND}');
    return ![...island.childNodes].some((node) => node.nodeType === 7) && island.innerHTML.includes('<!--');
  })()`);
}
