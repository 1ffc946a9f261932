import { isbot } from 'isbot';
import type { Fallback } from '../../render/fallbacks.ts';
import type { ResolvedRenderOptions } from '../../render/render-options.ts';
import type { HeldPage } from '../memory/held-page.ts';
import type { Use } from './use-of.ts';

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
  readonly userAgent: string | undefined;
}

/** @returns undefined if the request waits for a render. */
export function inPlaceOfRender(
  held: HeldPage | undefined,
  use: Use,
  { nowMs, fallbacks, isSaturated, bots, userAgent }: RenderTerms,
): InPlaceOfRender | undefined {
  if (held !== undefined) {
    if (use === 'fresh') return 'page';
    if (use === 'stale') return 'page-while-refreshed';
    const isLate = (fallbacks.includes('stale') && isSaturated) || nowMs < held.retryAtMs;
    if (use === 'if-error' && isLate) return 'page-past-its-time';
  }
  if (!bots || !isbot(userAgent)) return undefined;
  const staleMs = held === undefined || held.isStaleForbidden ? 0 : bots.staleSeconds * 1000;
  if (held !== undefined && nowMs < held.staleAtMs + staleMs) return 'page-while-refreshed';
  return bots.renderCold ? undefined : 'refuse-bot';
}
