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
import { defaultHeapMb } from './workers/heap-limit.ts';
import type { PoolBounds } from './workers/pool-size.ts';

/** Options for rendering and for overload. */
export interface RenderOptions {
  /**
   * Number of render threads, each of which runs the whole program. `auto`: one at first, and more while all
   * of them are busy and renders wait, up to one less than the number of cores; those that are not needed for
   * a minute end. At most four for each core, or 16. 0 renders on the main thread, as `ng serve` does. Default: 0.
   */
  readonly workers?: number | 'auto' | undefined;
  /**
   * Heap limit of each thread in MiB. A thread whose heap comes close to it is replaced; one that exceeds it
   * ends. Default: an equal share of half the memory, at least 256, at most the main thread's limit.
   */
  readonly maxHeapMb?: number | undefined;
  /** A thread is replaced after this many renders. Default: 100,000. */
  readonly recycleAfter?: number | undefined;
  /**
   * The nice value of render threads on Linux, from -20 to 19. A process that has a higher one keeps it for its threads.
   * `false` leaves the threads with the priority of the main thread, and so does 0 in a process that was started without
   * `nice`. Default: 5, with which the main thread comes first where threads are more than cores.
   */
  readonly niceness?: number | false | undefined;
  /**
   * Maximum number of concurrent renders. While requests are queued, fewer run if fewer keep the thread busy.
   * Default: 16, or 4 per worker; with `auto`, per worker that there may be.
   */
  readonly concurrency?: number | undefined;
  /** Maximum number of queued requests. Default: 256. */
  readonly maxQueued?: number | undefined;
  /** How long a request waits for its page before it gets the next fallback. Default: 10,000. */
  readonly deadlineMs?: number | undefined;
  /** How long a render may take before it times out and its render thread is ended. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The fallbacks that may be used; their order is fixed. Default: `['stale', 'queue', 'csr']`. */
  readonly fallbacks?: readonly Fallback[] | undefined;
  /**
   * Content encodings of pages that are rendered for their request, stored or not: each page is encoded before
   * it is sent, off the main thread. The order of the list does not matter. Under more load than can be
   * encoded in time, pages are sent unencoded. Default: those of `files`; `[]` for none.
   *
   * A page with `Cache-Control: no-transform` is never encoded.
   */
  readonly encodings?: readonly ContentEncoding[] | undefined;
  /**
   * Whether requests with `Sec-Purpose: prefetch`, made before a visitor follows a link, may cause renders. If not, they
   * get a page that is held, or stored and fresh, else 503: the browser asks again when the visitor comes. Under
   * `ng serve` they are rendered. Default: false.
   */
  readonly prefetch?: boolean | undefined;
  /** How crawlers, recognised by User-Agent, are answered. Default: like every client. */
  readonly bots?:
    | {
        /** `false`: without a usable stored page, a crawler gets 503 instead of a render. Default: true. */
        readonly renderCold?: boolean | undefined;
        /** Seconds after a stored page becomes stale in which crawlers still get it. Default: 0. */
        readonly staleSeconds?: number | undefined;
      }
    | undefined;
}

/** Render options with every default filled in; undefined stands for none. */
export interface ResolvedRenderOptions extends NeutralRender {
  readonly workers: PoolBounds;
  readonly maxHeapMb: number;
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
  readonly workers: number | 'auto';
  readonly maxHeapMb: number | undefined;
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
const MIN_HEAP_MB = 16;
/** Of encodings with equal weight, the one that costs least CPU per byte saved: see bench/findings.md. */
const ORDER: readonly ContentEncoding[] = ['zstd', 'br', 'gzip'];

const niceness = option<number | false>(
  (given) => given === false || NICE_VALUES.includes(given as number),
  'a whole number from -20 to 19, or false',
);

const renderOptions = group<GivenRender>(
  {
    workers: withDefault(threadCount(0), 0),
    maxHeapMb: optional(count(MIN_HEAP_MB)),
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
  const workers = toBounds(checked.workers);
  const { maxHeapMb, niceness: nice, concurrency, encodings = defaultEncodings } = checked;
  return {
    ...checked,
    workers,
    maxHeapMb: maxHeapMb ?? defaultHeapMb(workers.max),
    niceness: nice === false ? undefined : nice,
    concurrency: concurrency ?? (workers.max === 0 ? 16 : 4 * workers.max),
    encodings: ORDER.filter(
      (encoding) => encodings.includes(encoding) && AVAILABLE.includes(encoding),
    ),
  };
}

function toBounds(workers: number | 'auto'): PoolBounds {
  if (workers !== 'auto') return { min: workers, max: workers };
  const max = Math.max(1, availableParallelism() - 1);
  // A pool that is not measured cannot grow.
  return { min: areTimesMeasured ? 1 : max, max };
}
