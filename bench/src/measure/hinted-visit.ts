import type { Browser } from 'playwright-core';

/** When something of a page was there, in milliseconds from the start of its navigation. */
export interface HintedVisit {
  /** Of the page: its head, not the 103. */
  readonly 'first byte': number;
  readonly stylesheet: number;
  readonly 'main script': number;
  readonly 'first paint': number;
  readonly 'largest paint': number;
  /** Angular has taken over the page. */
  readonly hydrated: number;
}

interface Marks {
  hydratedMs?: number;
  largestMs?: number;
}

/** What the browser was told before the page; see `readVisit`. */
interface Found extends HintedVisit {
  readonly isHinted: boolean;
}

/**
 * Opens a page with an empty cache, on a new connection.
 *
 * @throws Error where the browser has used no hint, or has got one that it should not: the visit would say nothing.
 */
export async function visitHintedPage(
  browser: Browser,
  url: string,
  { waitMs, hasHints }: { readonly waitMs: number; readonly hasHints: boolean },
): Promise<HintedVisit> {
  const context = await browser.newContext();
  try {
    await context.addCookies([{ name: 'wait', value: String(waitMs), url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction(isComplete);
    const { isHinted, ...visit } = await page.evaluate(readVisit);
    if (isHinted !== hasHints) throw new Error(`hints ${isHinted ? 'were' : 'were not'} used`);
    return visit;
  } finally {
    await context.close();
  }
}

/** In the page, before its own scripts. */
function watch(): void {
  const marks: Marks = ((globalThis as { marks?: Marks }).marks = {});
  new PerformanceObserver((list) => {
    marks.largestMs = list.getEntries().at(-1)!.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  let wasServed = false;
  const look = (): void => {
    // Angular removes the attribute from each element that it has hydrated.
    const isWaiting = document.querySelector('app-root [ngh], app-root[ngh]') !== null;
    wasServed ||= isWaiting;
    if (wasServed && !isWaiting) marks.hydratedMs = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/** In the page. */
function isComplete(): boolean {
  const { marks } = globalThis as { marks?: Marks };
  return marks?.hydratedMs !== undefined && marks.largestMs !== undefined;
}

/** In the page. */
function readVisit(): Found {
  const [own] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const find = (name: RegExp): PerformanceResourceTiming =>
    all.find((entry) => name.test(entry.name))!;
  const [style, script] = [find(/\/styles-[^/]*\.css$/), find(/\/main-[^/]*\.js$/)];
  const { hydratedMs, largestMs } = (globalThis as { marks?: Marks }).marks ?? {};
  const { finalResponseHeadersStart } = own as { finalResponseHeadersStart?: number };
  return {
    'first byte': finalResponseHeadersStart || own!.responseStart,
    stylesheet: style.responseEnd,
    'main script': script.responseEnd,
    'first paint': performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    'largest paint': largestMs!,
    hydrated: hydratedMs!,
    isHinted: [style, script].every(({ initiatorType }) => initiatorType === 'early-hints'),
  };
}
