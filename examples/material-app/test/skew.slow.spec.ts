/** Tabs of a real build in a real browser, while the next builds are deployed. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import { DerivedBuilds } from './derived-builds.ts';
import { RollingServers } from './rolling-servers.ts';
import { Tab } from './tab.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

describe.skipIf(chromium === undefined)('a tab that is open during a deploy', () => {
  let browser: Browser;
  let builds: DerivedBuilds;
  beforeAll(async () => {
    builds = new DerivedBuilds(join(import.meta.dirname, '../dist/app/browser'));
    browser = await openBrowser(chromium!);
  });
  afterAll(() => browser?.close());

  async function serve(keep?: number): Promise<RollingServers> {
    const servers = new RollingServers(builds, keep);
    onTestFinished(() => servers.close());
    await servers.start(1);
    return servers;
  }

  async function open({ origin }: RollingServers, path = '/about'): Promise<Tab> {
    const tab = await Tab.open(browser, origin + path);
    onTestFinished(() => tab.close());
    return tab;
  }

  test('goes on where its build is kept; after that one document is loaded, of its target', async () => {
    const servers = await serve(1);
    const tab = await open(servers);
    await servers.replace(0, 2);
    const next = await open(servers);
    // Each script is asked of either build's server.
    await tab.follow('/guide');
    await tab.follow('/lazy');
    await next.follow('/guide');
    await next.follow('/lazy');
    await servers.replace(1, 2);
    await tab.follow('/catalog');
    expect([tab.documents, await tab.draft(), await tab.build()]).toEqual([1, 'a draft', 1]);
    expect(next.documents).toBe(1);

    await servers.replace(0, 3);
    await servers.replace(1, 3);
    await tab.follow('/client');
    expect([tab.documents, await tab.draft(), await tab.build()]).toEqual([2, undefined, 3]);
    expect(new URL(tab.page.url()).pathname).toBe('/client');
    await tab.page.goBack();
    await tab.page.locator('main h1', { hasText: 'This month' }).waitFor();
    expect([tab.problems, next.problems, servers.errors]).toEqual([[], [], []]);
  });

  test('has its error where the server is out of reach, or has the same build: no document is loaded', async () => {
    const servers = await serve();
    const tab = await open(servers);
    // The same build without one of its scripts, as a broken deploy has.
    let asked = 0;
    await tab.page.route(/chunk-/, (route) => {
      asked++;
      return route.fulfill({ status: 404, body: 'gone' });
    });
    await tab.click('/guide');
    await expect.poll(() => tab.problems.length).toBe(1);
    expect(tab.problems[0]).toMatch('Failed to fetch dynamically imported module');
    // The first time and once more, where all scripts of a page are asked for at once.
    expect(asked).toBeGreaterThanOrEqual(2);
    await tab.page.unroute(/chunk-/);
    await tab.follow('/guide');

    await servers.stop();
    await tab.click('/lazy');
    await expect.poll(() => tab.problems.length).toBe(2);
    expect([tab.documents, await tab.draft()]).toEqual([1, 'a draft']);
    // Back again, it finds what it needs.
    await servers.replace(0, 1);
    await tab.follow('/lazy');
    expect(tab.documents).toBe(1);
  });

  test('is never in a loop: where a cache has the old document, the second error goes on', async () => {
    const servers = await serve();
    const tab = await open(servers);
    const old = await (await fetch(`${servers.origin}/index.csr.html`)).text();
    const main = await tab.page.locator('script[src^="main-"]').getAttribute('src');
    const script = await (await fetch(`${servers.origin}/${main}`)).text();
    const chunks = [...script.matchAll(/chunk-[\w-]{8}\.js/g)].map(([name]) => name);
    const held = new Map<string, string>();
    for (const name of new Set(chunks)) {
      held.set(name, await (await fetch(`${servers.origin}/${name}`)).text());
    }
    await servers.replace(0, 2);
    await servers.replace(1, 2);
    // What the first page has loaded is in the cache, and its document for every address.
    const loaded = await tab.page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
    );
    const documentsFromCache: string[] = [];
    await tab.page.context().route('**/*', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      const isDocument = route.request().resourceType() === 'document';
      if (isDocument) documentsFromCache.push(name);
      const body = isDocument
        ? { body: old, contentType: 'text/html' }
        : name === main
          ? { body: script, contentType: 'text/javascript' }
          : loaded.includes(name) && held.has(name)
            ? { body: held.get(name)!, contentType: 'text/javascript' }
            : undefined;
      return body ? route.fulfill(body) : route.fallback();
    });
    await tab.click('/guide');
    // Not where it happened: the router leaves the address of a first navigation that fails.
    const lost = (): number =>
      tab.problems.filter((text) => text.includes('Failed to fetch')).length;
    await expect.poll(lost).toBe(1);
    expect(documentsFromCache).toEqual(['guide']);
    // A document later the same is an error at once, and no navigation.
    await tab.page.goBack();
    await tab.whenRunning();
    const { documents } = tab;
    await tab.click('/guide');
    await expect.poll(lost).toBe(2);
    expect(tab.documents).toBe(documents);
  });

  test('keeps its history: a step back to a page whose script is lost replaces that entry', async () => {
    const servers = await serve();
    const tab = await open(servers);
    await servers.replace(0, 2);
    await servers.replace(1, 2);
    await tab.page.evaluate(() => {
      history.pushState(null, '', '/guide?from=history#care');
      history.pushState(null, '', '/about');
    });
    const length = await tab.page.evaluate(() => history.length);
    await tab.page.evaluate(() => history.back());
    await tab.page.locator('main h1', { hasText: 'Live with it' }).waitFor();
    await tab.whenRunning();
    expect(tab.page.url()).toBe(`${servers.origin}/guide?from=history#care`);
    expect(await tab.page.evaluate(() => history.length)).toBe(length);
    expect([tab.documents, await tab.build(), tab.problems]).toEqual([2, 2, []]);
  });

  test('asks before it is left, where the application asks for that', async () => {
    const servers = await serve();
    const tab = await open(servers);
    await servers.replace(0, 2);
    await servers.replace(1, 2);
    await tab.page.locator('main h1').click();
    await tab.page.evaluate(() => {
      addEventListener('beforeunload', (event) => event.preventDefault());
    });
    const asked: string[] = [];
    tab.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await tab.click('/guide');
    await expect.poll(() => asked.length).toBe(1);
    expect([tab.documents, await tab.draft()]).toEqual([1, 'a draft']);
    // The answer was to stay: the next time it is asked again.
    await tab.follow('/guide');
    expect([asked.length, tab.documents, tab.problems]).toEqual([2, 2, []]);
  });
});
