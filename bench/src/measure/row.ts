import type { Bound } from './bound.ts';
import type { Quartiles, Spread } from './spread.ts';

/** One line of a result: a server under one kind of work, or a number of another kind. */
export interface Row {
  /** `scenario/work/server`: what goals and charts refer to. */
  readonly id: string;
  readonly scenario: string;
  readonly work: string;
  readonly server: string;
  /** Server CPU time per request, in microseconds. */
  readonly cpuUs?: Spread;
  /** The same of the main thread alone. */
  readonly mainUs?: Spread;
  /** What the garbage collector took of the main thread, per request, in microseconds: the mean of all rounds. */
  readonly gcUs?: number;
  /** Of the CPU time of the first row of this work, in the same rounds. */
  readonly ratio?: Quartiles;
  readonly requestsPerSecond?: Spread;
  readonly p50Ms?: Spread;
  readonly p99Ms?: Spread;
  /** Of the body as it is sent. */
  readonly bytes?: number;
  /** Of the whole answer, head and body, as they came over the connection. */
  readonly wireBytes?: number;
  /** The content encoding that the server chose; undefined is none. */
  readonly encoding?: string;
  readonly peakRssBytes?: number;
  /** How many cores the server kept busy under the load. */
  readonly serverCores?: Spread;
  /** How many the load generator did. */
  readonly generatorCores?: Spread;
  /** What the load ran into, by the medians of both. */
  readonly bound?: Bound;
  /** Anything that is not load: milliseconds of a start, bytes per page, nanoseconds of a call. */
  readonly value?: Spread;
  /** Of the same. */
  readonly quartiles?: Quartiles;
  readonly unit?: string;
  /** Where the row lies on the x axis of a growth curve. */
  readonly x?: number;
  /** The article's published ratio to its first step. */
  readonly published?: number;
  readonly note?: string;
  /** Why the row does not count. */
  readonly voidBecause?: string;
}
