import type { Browser } from 'playwright-core';

/** When something of a page was there, in milliseconds from the start of its navigation. */
export interface Visit {
  /** As the network has it: the emulated latency comes on top. */
  readonly 'first byte': number;
  readonly 'first paint': number;
  /** Undefined for a page without data of the visitor. */
  readonly 'slot visible': number | undefined;
  readonly hydrated: number;
  /** All requests, that for the page too. */
  readonly requests: number;
  /** Of the body of the page, as it is sent. */
  readonly 'document bytes': number;
  /** Of all scripts, as they are sent. */
  readonly 'script bytes': number;
}

/** A slow connection of a phone. */
export const CONNECTION = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 0.75e6 / 8,
};

/** What stands in the page when the data of the visitor is there. */
const COUNT = '3';

interface Marks {
  slotMs?: number;
}

/**
 * Opens a page with an empty cache, a session cookie and a slow connection.
 *
 * @param isPersonal - Whether data of the visitor is to be waited for.
 */
export async function visitPage(
  browser: Browser,
  url: string,
  isPersonal: boolean,
): Promise<Visit> {
  const context = await browser.newContext();
  try {
    await context.addCookies([{ name: 'session', value: 'ada', url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    let requests = 0;
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) requests++;
    });
    await page.addInitScript(watchSlot, COUNT);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', CONNECTION);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction(isComplete, isPersonal);
    return { ...(await page.evaluate(readVisit)), requests };
  } finally {
    await context.close();
  }
}

/** In the page, before its own scripts. */
function watchSlot(count: string): void {
  const marks: Marks = ((globalThis as { marks?: Marks }).marks = {});
  const look = (): void => {
    const isThere =
      document.querySelector('#count')?.textContent === count &&
      document.querySelectorAll('#recommendations li').length > 1;
    if (isThere) marks.slotMs = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/** In the page. */
function isComplete(isPersonal: boolean): boolean {
  const { marks } = globalThis as { marks?: Marks };
  return (
    performance.getEntriesByName('hydrated').length > 0 &&
    performance.getEntriesByName('first-contentful-paint').length > 0 &&
    (!isPersonal || marks?.slotMs !== undefined)
  );
}

/** In the page. */
function readVisit(): Omit<Visit, 'requests'> {
  const at = (name: string): number => performance.getEntriesByName(name)[0]!.startTime;
  const [own] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const { slotMs } = (globalThis as { marks?: Marks }).marks ?? {};
  const scripts = all.filter(({ name }) => /\.m?js(?:\?|$)/.test(name));
  return {
    'first byte': own!.responseStart,
    'first paint': at('first-contentful-paint'),
    // It is looked for before a frame is painted.
    'slot visible': slotMs && Math.max(slotMs, at('first-contentful-paint')),
    hydrated: at('hydrated'),
    'document bytes': own!.encodedBodySize,
    'script bytes': scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  };
}
