import { availableParallelism } from 'node:os';
import { assertKnownOptions, check, isOptionObject } from '../check-option.ts';
import { CODINGS, type ContentCoding } from '../http/accept-encoding.ts';
import { AVAILABLE, checkCodings } from '../http/content-coding.ts';
import { defaultHeapMb } from './workers/heap-bound.ts';

/**
 * What may stand in for a page that cannot be rendered in time: a stored page past its time
 * (`stale`), waiting for others' renders to end (`queue`), and the document that the browser renders
 * into (`shell`: index.csr.html, never stored). The last resort is always 503 with Retry-After.
 */
export const RUNGS = ['stale', 'queue', 'shell'] as const;

/** One of {@link RUNGS}. */
export type Rung = (typeof RUNGS)[number];

/** Options for rendering, and for what happens when it cannot keep up. */
export interface RenderOptions {
  /**
   * Threads that render, each of which runs the whole program: `auto` is one less than there are
   * cores, and at least one. 0 renders on the main thread, as does `ng serve`. Default: 0.
   */
  readonly workers?: number | 'auto' | undefined;
  /**
   * The bound of each thread's heap, in MiB: a thread whose heap comes near to it is replaced, and one
   * that passes it ends. Default: its share of half the memory, and 256 at least.
   */
  readonly maxHeapMb?: number | undefined;
  /** A thread is replaced after this many renders. Default: 100,000. */
  readonly recycleAfter?: number | undefined;
  /**
   * Renders under way at a time at most. While requests are queued, fewer run where fewer keep the thread
   * busy. Default: 16, or 4 for each worker.
   */
  readonly concurrency?: number | undefined;
  /** Requests that wait for a render at most. Default: 256. */
  readonly maxQueued?: number | undefined;
  /** How long a request waits for its page before it gets the next rung. Default: 10,000. */
  readonly deadlineMs?: number | undefined;
  /** How long a render may take before it is given up, and its thread ended. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The rungs that may be used, in their order. Default: `['stale', 'queue', 'shell']`. */
  readonly rungs?: readonly Rung[] | undefined;
  /**
   * The content codings of pages that are rendered for their request, stored or not: each is coded on
   * the way to its client, off the main thread. Their order does not matter. Under more load than can
   * be coded in time pages are sent as they are. Default: those of the option `codings`; `[]` for none.
   *
   * A page that says `Cache-Control: no-transform` is never coded.
   */
  readonly encodings?: readonly ContentCoding[] | undefined;
  /** What crawlers get, by their User-Agent. Default: what every client gets. */
  readonly bots?:
    | {
        /** `false`: they cause no renders of pages that are not stored, and get 503 there. */
        readonly renderCold?: boolean | undefined;
        /** Seconds for which they get a stored page past its time. */
        readonly staleSeconds?: number | undefined;
      }
    | undefined;
}

/** Render options with every default filled in; undefined stands for none. */
export interface ResolvedRenderOptions {
  readonly workers: number;
  readonly maxHeapMb: number;
  readonly recycleAfter: number;
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly deadlineMs: number;
  readonly timeoutMs: number;
  readonly rungs: readonly Rung[];
  /** The first is made for clients that want several alike. */
  readonly encodings: readonly ContentCoding[];
  readonly bots: { readonly renderCold: boolean; readonly staleSeconds: number } | undefined;
}

const NAMES: readonly string[] = [
  'workers',
  'maxHeapMb',
  'recycleAfter',
  'concurrency',
  'maxQueued',
  'deadlineMs',
  'timeoutMs',
  'rungs',
  'encodings',
  'bots',
] satisfies readonly (keyof RenderOptions)[];

/** With less not even an empty program starts. */
const LEAST_HEAP_MB = 16;
/** The longest time a timer of Node's takes. */
const MOST_MS = 2 ** 31 - 1;

/** Of codings that a client wants alike, what costs least CPU per byte saved: see bench/findings.md. */
const ORDER: readonly ContentCoding[] = ['zstd', 'br', 'gzip'];

/**
 * @param codings - The default of `encodings`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveRenderOptions(
  options: RenderOptions = {},
  codings: readonly ContentCoding[] = CODINGS,
): ResolvedRenderOptions {
  check('render', options, isOptionObject(options), 'an object of options');
  assertKnownOptions(options, NAMES);
  const workers = resolveWorkers(options.workers);
  const {
    maxHeapMb = defaultHeapMb(workers),
    recycleAfter = 100_000,
    concurrency = workers === 0 ? 16 : 4 * workers,
    maxQueued = 256,
    deadlineMs = 10_000,
    timeoutMs = 30_000,
    rungs = RUNGS,
    encodings: wanted = codings,
    bots,
  } = options;
  checkCount('render.maxHeapMb', maxHeapMb, LEAST_HEAP_MB);
  checkCount('render.recycleAfter', recycleAfter, 1);
  checkCount('render.concurrency', concurrency, 1);
  checkCount('render.maxQueued', maxQueued, 0);
  checkMs('render.deadlineMs', deadlineMs);
  checkMs('render.timeoutMs', timeoutMs);
  checkRungs('render.rungs', rungs);
  checkCodings('render.encodings', wanted);
  const encodings = ORDER.filter((coding) => wanted.includes(coding) && AVAILABLE.includes(coding));
  const threads = { workers, maxHeapMb, recycleAfter };
  const bounds = { concurrency, maxQueued, deadlineMs, timeoutMs, rungs, encodings };
  if (bots === undefined) return { ...threads, ...bounds, bots };
  const allowed = 'an object with renderCold and staleSeconds';
  check('render.bots', bots, isOptionObject(bots), allowed);
  assertKnownOptions(bots, ['renderCold', 'staleSeconds']);
  const { renderCold = true, staleSeconds = 0 } = bots;
  check('render.bots.renderCold', renderCold, typeof renderCold === 'boolean', 'true or false');
  checkCount('render.bots.staleSeconds', staleSeconds, 0);
  return { ...threads, ...bounds, bots: { renderCold, staleSeconds } };
}

function resolveWorkers(workers: RenderOptions['workers'] = 0): number {
  if (workers === 'auto') return Math.max(1, availableParallelism() - 1);
  const isCount = Number.isSafeInteger(workers) && workers >= 0;
  check('render.workers', workers, isCount, "a whole number, 0 or more, or 'auto'");
  return workers;
}

/** @throws SsrError `NG_SSR_OPTION_INVALID` */
export function checkRungs(name: string, rungs: readonly Rung[] | undefined): void {
  const isList =
    rungs === undefined || (Array.isArray(rungs) && rungs.every((rung) => RUNGS.includes(rung)));
  check(name, rungs, isList, `a list of ${RUNGS.join(', ')}`);
}

/** @throws SsrError `NG_SSR_OPTION_INVALID` */
export function checkMs(name: string, value: number | undefined): void {
  const isTime = value === undefined || (Number.isInteger(value) && value > 0 && value <= MOST_MS);
  check(name, value, isTime, 'a whole number of milliseconds, 1 or more');
}

function checkCount(name: string, value: number, least: number): void {
  const isCount = Number.isSafeInteger(value) && value >= least;
  check(name, value, isCount, `a whole number, ${least} or more`);
}
