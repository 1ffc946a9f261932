import { isPlatformBrowser } from '@angular/common';
import {
  DestroyRef,
  DOCUMENT,
  inject,
  InjectionToken,
  NgZone,
  PLATFORM_ID,
  type Signal,
  signal,
} from '@angular/core';
import { compareBuilds, type Comparison, mainScriptOf } from './build-comparison.ts';

/** How often the server is asked at most when a tab is shown again. */
const MIN_INTERVAL_MS = 5 * 60 * 1000;

/** What is known of the builds of this page and of its server. */
export interface Skew {
  /**
   * Whether the server has another build than this page, as far as it is known: it is asked when the tab is shown or
   * focused again, at most every five minutes, and when a script was lost. On the server always false.
   */
  readonly updated: Signal<boolean>;
  /** Asks the server now. `unknown` if it does not answer, or builds have no hashes in their names. Never rejects. */
  check(): Promise<Comparison>;
  /** The page's main script, by which its build is known; undefined if its name has no hash. */
  readonly build: string | undefined;
}

/**
 * Says when the server has another build than the page.
 *
 * @example
 * ```ts
 * readonly skew = inject(SKEW);
 * // @if (skew.updated()) { <a href="">A new version is there: load it</a> }
 * ```
 */
export const SKEW: InjectionToken<Skew> = new InjectionToken<Skew>('SKEW', {
  providedIn: 'root',
  factory: () => (isPlatformBrowser(inject(PLATFORM_ID)) ? watchSkew() : ON_SERVER),
});

const ON_SERVER: Skew = {
  updated: signal(false).asReadonly(),
  check: () => Promise.resolve('unknown'),
  build: undefined,
};

function watchSkew(): Skew {
  const document = inject(DOCUMENT);
  const zone = inject(NgZone);
  const build = mainScriptOf(document);
  const updated = signal(false);
  let inFlight: Promise<Comparison> | undefined;
  let lastMs = performance.now();

  async function ask(): Promise<Comparison> {
    const comparison = await compareBuilds(document, build);
    lastMs = performance.now();
    inFlight = undefined;
    if (comparison !== 'unknown') updated.set(comparison === 'other');
    return comparison;
  }
  // Outside of the zone: an application is stable while it waits, and nothing is checked for an answer of no interest.
  const check = (): Promise<Comparison> => (inFlight ??= zone.runOutsideAngular(ask));

  const onShown = (): void => {
    const isShown = document.visibilityState === 'visible';
    if (isShown && performance.now() - lastMs >= MIN_INTERVAL_MS) void check();
  };
  const ends = zone.runOutsideAngular(() => [
    listen(document, 'visibilitychange', onShown),
    listen(document.defaultView, 'focus', onShown),
    watchLostScripts(() => void check()),
  ]);
  inject(DestroyRef).onDestroy(() => ends.forEach((end) => end()));
  return { updated: updated.asReadonly(), check, build };
}

function listen(target: EventTarget | null, type: string, listener: () => void): () => void {
  target?.addEventListener(type, listener);
  return () => target?.removeEventListener(type, listener);
}

/** Scripts of `@defer` blocks are lost without a navigation, and often without an error. Not in all browsers. */
function watchLostScripts(onLost: () => void): () => void {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes.includes('resource')) return () => {};
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as PerformanceResourceTiming[];
    if (entries.some(isLostScript)) onLost();
  });
  observer.observe({ type: 'resource' });
  return () => observer.disconnect();
}

function isLostScript({ name, responseStatus }: PerformanceResourceTiming): boolean {
  if (responseStatus !== 404) return false;
  const { origin, pathname } = new URL(name);
  return origin === location.origin && /-[\w-]{8}\.m?js$/.test(pathname);
}
