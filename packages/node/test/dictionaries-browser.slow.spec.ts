import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createNodeSsrServer, withDictionaries } from '@ng-ssr/node/server';
import { type Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { seededText } from '../../conformance/src/seeded-bytes.ts';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';

const BIN = join(import.meta.dirname, '../bin/ng-ssr.js');
const TEXT = seededText(20_000, 1);
const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

/** The build of a deploy: all have the same text, and differ in a line. */
function build(hash: string): string {
  const browser = writeBuiltSite({
    'browser/index.csr.html': '<!doctype html><base href="/">',
    [`browser/main-${hash}.js`]: `/* ${TEXT} */ document.title = 'ran ${hash}';`,
  });
  return dirname(browser);
}

/** Starts a server of a build on a port. */
async function start(folder: string, hash: string, port: number) {
  const ssr = createNodeSsrServer({
    engine: ({ url }) => {
      const { pathname } = new URL(url);
      const content = `<!doctype html><base href="/"><link rel="icon" href="data:,"><h1>${pathname} of ${hash}</h1>
        <p>${TEXT}</p><script type="module" src="main-${hash}.js"></script>`;
      return new Response(content, { headers: { 'content-type': 'text/html' } });
    },
    allowedHosts: ['localhost'],
    files: { folder: join(folder, 'browser') },
    routeRules: { '/**': { sMaxAge: 60, staleWhileRevalidate: 3600 } },
    features: [withDictionaries()],
  });
  const { url } = await ssr.listen({ port, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  return { url, close: () => ssr.close() };
}

/** Loads a page, and reads how its document and its script came. */
async function load(page: Page, url: string, hash: string) {
  const script = page.waitForResponse(`**/main-${hash}.js`);
  const document = await page.goto(url);
  await page.waitForFunction(`document.title === 'ran ${hash}'`);
  const responses = [document!, await script];
  const encodings = [];
  for (const response of responses)
    encodings.push((await response.allHeaders())['content-encoding']);
  const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
  return {
    encodings,
    bytes: sizes.map(({ responseBodySize }) => responseBodySize),
    heading: await page.textContent('h1'),
    isWhole: (await page.textContent('p')) === TEXT,
  };
}

/** The same, when the browser has stored its dictionary and the server has made the encoding. */
async function untilDifference(page: Page, url: string, hash: string) {
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  let attempts = 0;
  const poll = async () => {
    // Pages of this rule do not see queries; the browser has no copy of another address.
    loaded = await load(page, `${url}?${attempts++}`, hash);
    return loaded.encodings[0];
  };
  await expect.poll(poll).toBe('dcb');
  return loaded!;
}

test.skipIf(chromium === undefined)(
  'Chromium loads pages as their difference to the home page, and a deploy as that to the last one',
  async () => {
    const [first, second] = [build('AAAAAAAA'), build('BBBBBBBB')];
    const packed = spawnSync(process.execPath, [BIN, 'pack', second, '--previous', first]);
    expect(packed.status).toBe(0);
    const server = await start(first, 'AAAAAAAA', 0);
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();

    const home = await load(page, server.url, 'AAAAAAAA');
    expect(home.encodings[0]).toBe('zstd');
    const product = await untilDifference(page, `${server.url}product`, 'AAAAAAAA');
    expect(product).toMatchObject({ heading: '/product of AAAAAAAA', isWhole: true });
    expect(product.bytes[0]).toBeLessThan(300);
    expect(home.bytes[0]).toBeGreaterThan(3000);

    await server.close();
    await start(second, 'BBBBBBBB', Number(new URL(server.url).port));
    const deployed = await load(page, `${server.url}product`, 'BBBBBBBB');
    expect(deployed).toMatchObject({ heading: '/product of BBBBBBBB', isWhole: true });
    // The process does not know the home page of the last one.
    expect(deployed.encodings).toEqual(['zstd', 'dcb']);
    expect(deployed.bytes[1]).toBeLessThan(300);
    // Nor is there a home page in this process yet: the browser gets one with its next visit.
    await load(page, server.url, 'BBBBBBBB');
    const later = await untilDifference(page, `${server.url}product`, 'BBBBBBBB');
    expect(later).toMatchObject({ heading: '/product of BBBBBBBB', isWhole: true });
  },
);

test.skipIf(chromium === undefined)(
  'Chromium validates prerendered pages that it keeps as dictionaries, and loads what a deploy has changed of them',
  async () => {
    const page = (title: string) =>
      prerendered(`<link rel="icon" href="data:,"><title>${title}</title>${TEXT}`);
    const write = (deploy: string) =>
      dirname(
        writeBuiltSite({
          'browser/index.html': page(`home ${deploy}`),
          'browser/about/index.html': page(`about ${deploy}`),
        }),
      );
    const [first, second] = [write('one'), write('two')];
    expect(spawnSync(process.execPath, [BIN, 'pack', first]).status).toBe(0);
    const args = [BIN, 'pack', second, '--previous', first];
    expect(spawnSync(process.execPath, args).status).toBe(0);
    const answers: string[] = [];
    const serve = async (folder: string, port: number) => {
      const ssr = createNodeSsrServer({
        engine: () => null,
        allowedHosts: ['localhost'],
        files: {
          folder: join(folder, 'browser'),
          cacheControl: () => 'public, max-age=0, stale-while-revalidate=86400',
        },
        features: [withDictionaries()],
      });
      ssr.use(({ url }, response, next) => {
        response.on('finish', () => {
          if (url !== '/favicon.ico') answers.push(`${url} ${response.statusCode}`);
        });
        next();
      });
      const { url } = await ssr.listen({ port, announce: false, shutdown: false });
      onTestFinished(() => ssr.close());
      return { url, close: () => ssr.close() };
    };
    const server = await serve(first, 0);
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    const visit = async (path: string) => {
      const response = await tab.goto(server.url + path);
      const { 'content-encoding': encoding } = await response!.allHeaders();
      return `${await tab.title()}, ${encoding}`;
    };
    expect(await visit('about')).toBe('about one, br');
    expect(await visit('')).toBe('home one, br');
    expect(await visit('about')).toMatch(/^about one/);
    expect(answers).toEqual(['/about 200', '/ 200', '/about 304']);

    await server.close();
    answers.length = 0;
    await serve(second, Number(new URL(server.url).port));
    expect(await visit('')).toBe('home two, dcb');
    expect(await visit('about')).toBe('about two, dcb');
    expect(answers).toEqual(['/ 200', '/about 200']);
  },
);
