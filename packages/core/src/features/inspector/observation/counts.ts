import type { CacheResult, ShedEvent } from '../../../telemetry/channels.ts';

/** Answered requests by their results. */
export type RequestCounts = Record<CacheResult, number>;

/** Requests that got a fallback, by the fallback. */
export type ShedCounts = Record<ShedEvent['fallback'], number>;

export function noRequests(): RequestCounts {
  return { hit: 0, stale: 0, miss: 0, bypass: 0 };
}

export function noneShed(): ShedCounts {
  return { stale: 0, csr: 0, unavailable: 0 };
}

export function addCounts<Name extends string>(
  to: Record<Name, number>,
  counts: Readonly<Record<Name, number>>,
): void {
  for (const name in counts) to[name] += counts[name];
}
