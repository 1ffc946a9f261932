import { availableParallelism } from 'node:os';
import { threadCount } from '../options/thread-count.ts';
import { encodings } from '../http/encodings.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import { AVAILABLE } from '../http/content-encoding.ts';
import { count } from '../options/option-values.ts';
import { group, option, optional, withDefault } from '../options/option.ts';
import type { Fallback } from './fallbacks.ts';
import { NEUTRAL_RENDER_TABLE, type NeutralRender } from './neutral-render-options.ts';
import { areTimesMeasured } from './thread-times.ts';
import { defaultHeapBytes } from './workers/heap-limit.ts';
import type { PoolBounds } from './workers/pool-size.ts';

/** Options for rendering and overload. */
export interface RenderOptions {
  /**
   * Render threads; 0 renders on the main thread. `'auto'` starts one and adds more under load, to one less than the
   * cores. Default: 0.
   */
  readonly threads?: number | 'auto' | undefined;
  /**
   * Heap limit of a render thread; a thread near it is replaced. Default: an equal share of half the memory, at least
   * 256 MiB.
   */
  readonly maxHeapBytes?: number | undefined;
  /** Renders after which a render thread is replaced. Default: 100,000. */
  readonly recycleAfter?: number | undefined;
  /** Nice value of render threads on Linux, -20 to 19; `false` leaves it. Default: 5. */
  readonly niceness?: number | false | undefined;
  /** Maximum concurrent renders. Default: 16, or 4 per render thread. */
  readonly concurrency?: number | undefined;
  /** Maximum queued requests. Default: 256. */
  readonly maxQueued?: number | undefined;
  /** How long a request waits before it gets a fallback. Default: 10,000. */
  readonly maxWaitMs?: number | undefined;
  /** A longer render is stopped, and its render thread replaced. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Allowed fallbacks, in this order only. Default: `['stale', 'queue', 'csr']`. */
  readonly fallbacks?: readonly Fallback[] | undefined;
  /**
   * For pages that are rendered for a request; `[]` turns it off. Under load, pages are sent unencoded. Default:
   * `files.encodings`.
   */
  readonly encodings?: readonly ContentEncoding[] | undefined;
  /** Renders pages for prefetches. Otherwise they get a file, a fresh cached page or 503. Default: false. */
  readonly prefetch?: boolean | undefined;
  /** Limits for crawlers, by User-Agent. Default: as for browsers. */
  readonly bots?:
    | {
        /** `false`: crawlers get a cached page or 503. Default: true. */
        readonly renderCold?: boolean | undefined;
        /** Seconds in which crawlers still get a stale page. Default: 0. */
        readonly maxStale?: number | undefined;
      }
    | undefined;
}

/** Render options with every default filled in; undefined stands for none. */
export interface ResolvedRenderOptions extends NeutralRender {
  readonly threads: PoolBounds;
  readonly maxHeapBytes: number;
  readonly recycleAfter: number;
  /** Undefined leaves the priority as it is. */
  readonly niceness: number | undefined;
  readonly concurrency: number;
  readonly maxQueued: number;
  /** In the server's order of preference, for clients that weight several equally. */
  readonly encodings: readonly ContentEncoding[];
}

/** Before the defaults that depend on other options. */
interface GivenRender extends NeutralRender {
  readonly threads: number | 'auto';
  readonly maxHeapBytes: number | undefined;
  readonly recycleAfter: number;
  readonly niceness: number | false;
  readonly concurrency: number | undefined;
  readonly maxQueued: number;
  readonly encodings: readonly ContentEncoding[] | undefined;
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
/** Of encodings with equal weight, the one that costs least CPU per byte saved: see bench/findings.md. */
const ORDER: readonly ContentEncoding[] = ['zstd', 'br', 'gzip'];

const niceness = option<number | false>(
  (given) => given === false || NICE_VALUES.includes(given as number),
  'a whole number from -20 to 19, or false',
);

const renderOptions = group<GivenRender>(
  {
    threads: withDefault(threadCount(0), 0),
    maxHeapBytes: optional(count(MIN_HEAP_BYTES, 'bytes')),
    recycleAfter: withDefault(count(1), 100_000),
    niceness: withDefault(niceness, DEFAULT_NICENESS),
    concurrency: optional(count(1)),
    maxQueued: withDefault(count(0), 256),
    encodings: optional(encodings),
    ...NEUTRAL_RENDER_TABLE,
  },
  'an object of options',
);

/**
 * @param defaultEncodings - The default of `encodings`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveRenderOptions(
  given: RenderOptions | undefined = {},
  defaultEncodings: readonly ContentEncoding[],
): ResolvedRenderOptions {
  const checked = renderOptions('render', given);
  const threads = toBounds(checked.threads);
  const { maxHeapBytes, niceness: nice, concurrency, encodings = defaultEncodings } = checked;
  return {
    ...checked,
    threads,
    maxHeapBytes: maxHeapBytes ?? defaultHeapBytes(threads.max),
    niceness: nice === false ? undefined : nice,
    concurrency: concurrency ?? (threads.max === 0 ? 16 : 4 * threads.max),
    encodings: ORDER.filter(
      (encoding) => encodings.includes(encoding) && AVAILABLE.includes(encoding),
    ),
  };
}

function toBounds(threads: number | 'auto'): PoolBounds {
  if (threads !== 'auto') return { min: threads, max: threads };
  const max = Math.max(1, availableParallelism() - 1);
  // A pool that is not measured cannot grow.
  return { min: areTimesMeasured ? 1 : max, max };
}
