import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../examples/material-app/test/browser.ts';

const LIMIT_MS = 60_000;

/**
 * Starts a browser for some checks; where there is none they are skipped, on CI they fail.
 *
 * @param action - Takes the browser.
 * @returns What the action returns, or why it was not run.
 */
export async function withBrowser(action) {
  const chromium = findChromium();
  if (chromium === undefined && process.env.CI !== 'true') return `skipped: ${NO_CHROMIUM}`;
  if (chromium === undefined) throw new Error(NO_CHROMIUM);
  const browser = await openBrowser(chromium);
  try {
    return await action(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Opens a page and waits until Angular has adopted it.
 *
 * @param context - A browser's context, with what earlier visits have left in it.
 * @returns The page; the answer to it; whether Angular has kept what the server has sent; the paths
 *   that the page has asked for; what the console says, errors and warnings.
 */
export async function visit(context, url) {
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.addInitScript(markHeadings);
  const response = await page.goto(url);
  await page.waitForFunction(isAdopted).catch((cause) => {
    throw new Error(`${url} has not settled: ${problems.join('; ')}`, { cause });
  });
  const isHydrated = await page.evaluate(() => document.querySelector('h1').isFromServer === true);
  return { page, response, isHydrated, asked, problems };
}

/** In the page: marks the headings that the server has sent, before scripts run. */
function markHeadings() {
  new MutationObserver(() => {
    if (document.readyState !== 'loading') return;
    for (const heading of document.querySelectorAll('h1')) heading.isFromServer = true;
  }).observe(document, { childList: true, subtree: true });
}

/** In the page: Angular takes these attributes away, from elements that it adopts and when it has replayed their events. */
function isAdopted() {
  if (document.querySelector('[ng-version]') === null) return false;
  const isShown = document.querySelector('h1') !== null;
  return isShown && document.querySelector('[ngh], [jsaction]') === null;
}
