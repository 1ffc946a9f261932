import type { HeldPage } from '../memory/held-page.ts';

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
  { staleAtMs, page }: Pick<HeldPage, 'staleAtMs' | 'page'>,
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
export function isReady(held: HeldPage, nowMs: number): boolean {
  return nowMs < held.staleAtMs || isAttended(held, nowMs);
}

/**
 * Whether a stale page is answered without asking for a new one: one is being rendered, or was tried lately.
 *
 * @param nowMs - `performance.now()`
 */
export function isAttended(held: HeldPage, nowMs: number): boolean {
  if (!held.isRefreshing && nowMs >= held.retryAtMs) return false;
  const use = useOf(held, nowMs);
  return use === 'stale' || (use === 'if-error' && nowMs < held.retryAtMs);
}
