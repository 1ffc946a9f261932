import { isbot } from 'isbot';
import type { Exchange } from '../../exchange.ts';
import type { Fallback } from '../../render/fallbacks.ts';
import type { ResolvedRenderOptions } from '../../render/render-options.ts';
import type { CachedPage } from '../memory/cached-page.ts';

/**
 * How a page may be used now: as it is; while it re-renders (RFC 5861 section 3); if that render
 * fails (section 4); not at all.
 */
export type Use = 'fresh' | 'stale' | 'if-error' | 'expired';

/**
 * Step 4: freshness (RFC 9111 section 4.2).
 *
 * @param nowMs - `performance.now()`
 */
export function useOf(
  { staleAtMs, page }: Pick<CachedPage, 'staleAtMs' | 'page'>,
  nowMs: number,
): Use {
  if (nowMs < staleAtMs) return 'fresh';
  const staleSeconds = (nowMs - staleAtMs) / 1000;
  if (staleSeconds < page.staleWhileRevalidateSeconds) return 'stale';
  return staleSeconds < page.staleIfErrorSeconds ? 'if-error' : 'expired';
}

/**
 * Whether a page is answered at once, without a new one being asked for.
 *
 * @param nowMs - `performance.now()`
 */
export function isReady(held: CachedPage, nowMs: number): boolean {
  return nowMs < held.staleAtMs || isAttended(held, nowMs);
}

/**
 * Whether a stale page is answered without asking for a new one: one is being rendered, or was tried lately.
 *
 * @param nowMs - `performance.now()`
 */
export function isAttended(held: CachedPage, nowMs: number): boolean {
  if (!held.isRefreshing && nowMs >= held.retryAtMs) return false;
  const use = useOf(held, nowMs);
  return use === 'stale' || (use === 'if-error' && nowMs < held.retryAtMs);
}

/**
 * How a request is answered without waiting for a render: with the stored page (`page`), with the stored page while it
 * re-renders (`page-while-refreshed`), with a stale page because a render has failed or would wait (`page-past-its-time`),
 * or with 503 because crawlers may not cause renders (`refuse-bot`).
 */
export type InPlaceOfRender = 'page' | 'page-while-refreshed' | 'page-past-its-time' | 'refuse-bot';

/** What besides the page decides. */
export interface RenderTerms {
  /** `performance.now()` */
  readonly nowMs: number;
  readonly fallbacks: readonly Fallback[];
  /** Whether a render would have to wait for others. */
  readonly isSaturated: boolean;
  readonly bots: ResolvedRenderOptions['bots'];
  readonly exchange: Exchange;
}

/** @returns undefined if the request waits for a render. */
export function inPlaceOfRender(
  held: CachedPage | undefined,
  use: Use,
  { nowMs, fallbacks, isSaturated, bots, exchange }: RenderTerms,
): InPlaceOfRender | undefined {
  if (held !== undefined) {
    if (use === 'fresh') return 'page';
    if (use === 'stale') return 'page-while-refreshed';
    const isLate = (fallbacks.includes('stale') && isSaturated) || nowMs < held.retryAtMs;
    if (use === 'if-error' && isLate) return 'page-past-its-time';
  }
  if (!bots || !isbot(exchange.header('user-agent'))) return undefined;
  const staleMs = held === undefined || held.isStaleForbidden ? 0 : bots.maxStale * 1000;
  if (held !== undefined && nowMs < held.staleAtMs + staleMs) return 'page-while-refreshed';
  return bots.renderCold ? undefined : 'refuse-bot';
}
