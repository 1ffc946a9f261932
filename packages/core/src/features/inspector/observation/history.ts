import type { Sample } from '../protocol.ts';
import { noneShed, noRequests, type RequestCounts, type ShedCounts } from './counts.ts';

/** Five minutes. */
const MOST_SAMPLES = 300;

/** What is measured at the end of each second. */
export interface Gauges {
  readonly queued: number;
  readonly running: number;
  readonly rssBytes: number;
  /** CPU time of the process since its start. */
  readonly cpuMs: number;
}

/** What is counted while a second lasts. */
export interface Counters {
  readonly requests: RequestCounts;
  readonly shed: ShedCounts;
  renders: number;
  renderMs: number;
}

interface KeptSample extends Omit<Sample, 'timeMs'> {
  /** Number of the second by the monotonic clock. */
  readonly second: number;
}

/**
 * Samples of the last seconds, by the monotonic clock: the wall clock may be set back. Seconds in which the process
 * was stopped, or too busy to count, are filled with samples in which nothing happened.
 */
export class History {
  readonly #samples: KeptSample[] = [];
  #second: number;
  #cpuMs: number;
  #now: Counters = nothing();

  /** @param nowMs - `performance.now()` */
  constructor(nowMs: number, cpuMs: number) {
    this.#second = toSecond(nowMs);
    this.#cpuMs = cpuMs;
  }

  /** The counters of the second that has not ended. */
  get now(): Counters {
    return this.#now;
  }

  /** Ends the seconds before this time. */
  tick(nowMs: number, gauges: Gauges): void {
    const second = toSecond(nowMs);
    const passed = second - this.#second;
    // A timer may fire too early.
    if (passed <= 0) return;
    const { queued, running, rssBytes } = gauges;
    const idle = { ...nothing(), queued, running, rssBytes, cpuMs: 0 };
    const gap = Math.min(passed - 1, MOST_SAMPLES);
    for (let back = gap; back > 0; back--) this.#add({ ...idle, second: second - 1 - back });
    const cpuMs = Math.max(0, gauges.cpuMs - this.#cpuMs);
    this.#add({ ...this.#now, queued, running, rssBytes, cpuMs, second: second - 1 });
    this.#second = second;
    this.#cpuMs = gauges.cpuMs;
    this.#now = nothing();
  }

  /**
   * The oldest first, with times by the wall clock as it is now.
   *
   * @param nowMs - `performance.now()`
   * @param timeMs - `Date.now()`
   */
  read(nowMs: number, timeMs: number): Sample[] {
    return this.#samples.map(({ second, ...sample }) => {
      const endMs = (second + 1) * 1000;
      return { timeMs: Math.round(timeMs - (nowMs - endMs)), ...sample };
    });
  }

  #add(sample: KeptSample): void {
    this.#samples.push(sample);
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
  }
}

function toSecond(nowMs: number): number {
  return Math.floor(nowMs / 1000);
}

function nothing(): Counters {
  return { requests: noRequests(), shed: noneShed(), renders: 0, renderMs: 0 };
}
