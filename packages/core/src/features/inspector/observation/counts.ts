import type {
  CacheResult,
  RequestEvent,
  ShedEvent,
  SlotEvent,
} from '../../../telemetry/channels.ts';

/** Answered requests by their results. `file` counts the hits that are not cached pages, such as built files. */
export type RequestCounts = Record<CacheResult | 'file', number>;

/** Requests that got a fallback, by the fallback. */
export type ShedCounts = Record<ShedEvent['fallback'], number>;

/** How slots were filled, by their names. */
export type SlotCounts = Map<string, Record<SlotEvent['result'], number>>;

export function noRequests(): RequestCounts {
  return { hit: 0, stale: 0, miss: 0, bypass: 0, file: 0 };
}

export function countRequest(counts: RequestCounts, { result, cacheStatus }: RequestEvent): void {
  counts[result]++;
  // Only cached pages have a remaining time.
  if (result === 'hit' && !cacheStatus.includes('; ttl=')) counts.file++;
}

export function noneShed(): ShedCounts {
  return { stale: 0, csr: 0, unavailable: 0 };
}

/** @returns those of one slot. */
export function countsOf(slots: SlotCounts, slot: string): Record<SlotEvent['result'], number> {
  let counts = slots.get(slot);
  if (counts === undefined) {
    slots.set(slot, (counts = { filled: 0, failed: 0, timeout: 0, skipped: 0 }));
  }
  return counts;
}

export function addCounts<Name extends string>(
  to: Record<Name, number>,
  counts: Readonly<Record<Name, number>>,
): void {
  for (const name in counts) to[name] += counts[name];
}
