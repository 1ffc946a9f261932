import { availableParallelism } from 'node:os';
import { count } from '../../options/option-values.ts';
import { group, option, optional, withDefault } from '../../options/option.ts';
import { threadCount } from '../../options/thread-count.ts';
import type { ThreadBounds } from '../../render/render-threads.ts';
import { areTimesMeasured } from '../../render/thread-times.ts';
import { defaultHeapBytes } from './heap-limit.ts';

/** Options of `withRenderThreads()`. */
export interface RenderThreadsOptions {
  /**
   * Number of threads; 0 renders on the main thread. `'auto'` starts one and adds more under load, to one less than the
   * cores. Default: `'auto'`.
   */
  readonly threads?: number | 'auto' | undefined;
  /**
   * Heap limit of a thread; a thread near it is replaced. Default: an equal share of half the memory, at least 256 MiB.
   */
  readonly maxHeapBytes?: number | undefined;
  /** Renders after which a thread is replaced. Default: 100,000. */
  readonly recycleAfter?: number | undefined;
  /** Nice value of the threads on Linux, -20 to 19; `false` leaves it. Default: 5. */
  readonly niceness?: number | false | undefined;
}

/** Options with every default filled in. */
export interface ResolvedRenderThreads {
  readonly threads: ThreadBounds;
  readonly maxHeapBytes: number;
  readonly recycleAfter: number;
  /** Undefined leaves the priority as it is. */
  readonly niceness: number | undefined;
}

/**
 * With more threads than cores, the main thread, which answers hits, comes first: it needs little time, and a
 * render takes long anyway.
 */
const DEFAULT_NICENESS = 5;
/** From the first to get the processor to the last: nice(2). */
const NICE_VALUES = Array.from({ length: 40 }, (_, at) => at - 20);
/** With less, not even an empty program starts. */
const MIN_HEAP_BYTES = 16 * 1024 * 1024;

const niceness = option<number | false>(
  (given) => given === false || NICE_VALUES.includes(given as number),
  'a whole number from -20 to 19, or false',
);

const renderThreads = group(
  {
    threads: withDefault(threadCount(0), 'auto'),
    maxHeapBytes: optional(count(MIN_HEAP_BYTES, 'bytes')),
    recycleAfter: withDefault(count(1), 100_000),
    niceness: withDefault(niceness, DEFAULT_NICENESS),
  },
  'an object of options, as in { threads: 2 }',
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveRenderThreads(given: RenderThreadsOptions): ResolvedRenderThreads {
  const checked = renderThreads('withRenderThreads', given);
  const threads = toBounds(checked.threads);
  const { maxHeapBytes = defaultHeapBytes(threads.max), niceness: nice } = checked;
  return { ...checked, threads, maxHeapBytes, niceness: nice === false ? undefined : nice };
}

function toBounds(threads: number | 'auto'): ThreadBounds {
  if (threads !== 'auto') return { min: threads, max: threads };
  const max = Math.max(1, availableParallelism() - 1);
  // A pool that is not measured cannot grow.
  return { min: areTimesMeasured ? 1 : max, max };
}
