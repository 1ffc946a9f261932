import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** A page that a browser has opened. */
export interface OpenPage {
  readonly page: Page;
  /** The answer to the page itself. */
  readonly response: Response;
  /** That, and all other answers so far. */
  readonly responses: readonly Response[];
  /** What the browser has reported so far: errors, and warnings on the console. */
  readonly problems: readonly string[];
  /**
   * Resolves when the application has adopted the page, no request is in flight and the browser has
   * nothing left to do. Unlike `networkidle` it needs no time in which nothing happens.
   */
  settled(): Promise<void>;
}

/** Opens a page in a profile of its own, which ends with the test. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  return visit(await context.newPage(), url, options);
}

/** Forgets what other tests have left in a page's profile, which takes a third of the time of a new one. */
export async function forget(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Network.clearBrowserCookies');
  await devtools.detach();
}

/** Goes to a URL and waits until the page has settled; without JavaScript, until it is loaded. */
export async function visit(
  page: Page,
  url: string,
  { javaScriptEnabled = true }: Pick<BrowserContextOptions, 'javaScriptEnabled'> = {},
): Promise<OpenPage> {
  // Those of an earlier visit.
  page.removeAllListeners();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));

  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  const inFlight = new Set<Promise<unknown>>();
  page.on('request', (request) => {
    const finished = request
      .response()
      .then((response) => response?.finished())
      // A page that is left or closed takes its requests with it.
      .catch(() => undefined);
    // A request that is aborted when its content has been read has a response that never finishes.
    const failed = new Promise<void>((resolve) => {
      page.on('requestfailed', (each) => {
        if (each === request) resolve();
      });
    });
    const ended = Promise.race([finished, failed]).finally(() => inFlight.delete(ended));
    inFlight.add(ended);
  });

  async function settled(): Promise<void> {
    await page.waitForFunction(isAdopted).catch((cause: unknown) => {
      throw new Error(`${url} has not settled; problems: ${problems.join('; ')}`, { cause });
    });
    do {
      await Promise.all(inFlight);
      await page.evaluate(whenIdle);
    } while (inFlight.size > 0);
  }

  const response = await page.goto(url);
  if (javaScriptEnabled) await settled();
  return { page, response: response!, responses, problems, settled };
}

/** In the page: Angular takes these attributes away, from elements that it adopts and when it has replayed their events. */
function isAdopted(): boolean {
  return document.readyState === 'complete' && document.querySelector('[ngh], [jsaction]') === null;
}

/** In the page. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve()));
}
