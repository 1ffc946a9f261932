import type { StoreFigures } from './store.ts';

/** What is counted while a phase runs. */
export interface Counts {
  requests: number;
  /** Answered with a page in memory, also a stale one. */
  memory: number;
  /** With a page of the store. */
  store: number;
  /** After a render of its own. */
  render: number;
  /** After the render of another request. */
  waited: number;
  /** With 503: no render in time. */
  refused: number;
  /** Renders, also those that replace a stale page. */
  renders: number;
  /** Pages older than a purge that the machine did not know yet. */
  old: number;
  /** Pages that no machine may answer with. */
  wrong: number;
}

export function noCounts(): Counts {
  return {
    ...{ requests: 0, memory: 0, store: 0, render: 0, waited: 0, refused: 0 },
    ...{ renders: 0, old: 0, wrong: 0 },
  };
}

/** What a phase has shown. Rates are by second. */
export interface PhaseFigures {
  readonly phase: string;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** Shares of all requests. */
  readonly memory: number;
  readonly store: number;
  readonly render: number;
  readonly waited: number;
  readonly refused: number;
  readonly rendersPerSecond: number;
  /** In the second with most of them. */
  readonly peakRenders: number;
  /** Cores that render, on average. */
  readonly busyCores: number;
  readonly storeReadsPerSecond: number;
  readonly storeWritesPerSecond: number;
  readonly storeMbPerSecond: number;
  /** At the end of the phase. */
  readonly storeGb: number;
  readonly memoryGb: number;
  readonly pagesPerMachine: number;
  /** How long after a purge the last machine has answered with a page from before; undefined without a purge. */
  readonly staleSeconds: number | undefined;
  readonly old: number;
  readonly wrong: number;
}

export interface Sums {
  readonly counts: Counts;
  readonly store: StoreFigures;
  readonly perSecond: ReadonlyMap<number, number>;
}

export function figuresOf(
  phase: string,
  seconds: number,
  { counts, store, perSecond }: Sums,
  state: Pick<
    PhaseFigures,
    'busyCores' | 'memoryGb' | 'pagesPerMachine' | 'staleSeconds' | 'storeGb'
  >,
): PhaseFigures {
  const share = (count: number): number => round(count / Math.max(1, counts.requests), 4);
  const rate = (count: number): number => round(count / seconds, 1);
  return {
    ...{ phase, seconds, requestsPerSecond: rate(counts.requests) },
    ...{ memory: share(counts.memory), store: share(counts.store), render: share(counts.render) },
    ...{ waited: share(counts.waited), refused: share(counts.refused) },
    ...{ rendersPerSecond: rate(counts.renders), peakRenders: Math.max(0, ...perSecond.values()) },
    ...{ storeReadsPerSecond: rate(store.reads), storeWritesPerSecond: rate(store.writes) },
    storeMbPerSecond: round((store.readBytes + store.writtenBytes) / 1e6 / seconds, 1),
    ...state,
    ...{ old: counts.old, wrong: counts.wrong },
  };
}

export function round(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}
