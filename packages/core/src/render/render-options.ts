import { assertKnownOptions, check } from '../check-option.ts';

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
  /** Renders under way at a time. Default: 16, or 4 for each worker. */
  readonly concurrency?: number | undefined;
  /** Requests that wait for a render at most. Default: 256. */
  readonly maxQueued?: number | undefined;
  /** How long a request waits for its page before it gets the next rung. Default: 10,000. */
  readonly deadlineMs?: number | undefined;
  /** How long a render may take before it is given up, and its thread ended. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The rungs that may be used, in their order. Default: `['stale', 'queue', 'shell']`. */
  readonly rungs?: readonly Rung[] | undefined;
  /** What crawlers get, by their User-Agent. Default: the same as everybody. */
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
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly deadlineMs: number;
  readonly timeoutMs: number;
  readonly rungs: readonly Rung[];
  readonly bots: { readonly renderCold: boolean; readonly staleSeconds: number } | undefined;
}

const NAMES: readonly string[] = [
  'concurrency',
  'maxQueued',
  'deadlineMs',
  'timeoutMs',
  'rungs',
  'bots',
] satisfies readonly (keyof RenderOptions)[];

/** The longest time a timer of Node's takes. */
const MOST_MS = 2 ** 31 - 1;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveRenderOptions(options: RenderOptions = {}): ResolvedRenderOptions {
  const isObject = typeof options === 'object' && options !== null;
  check('render', options, isObject, 'an object of options');
  assertKnownOptions(options, NAMES);
  const {
    concurrency = 16,
    maxQueued = 256,
    deadlineMs = 10_000,
    timeoutMs = 30_000,
    rungs = RUNGS,
    bots,
  } = options;
  checkCount('render.concurrency', concurrency, 1);
  checkCount('render.maxQueued', maxQueued, 0);
  checkMs('render.deadlineMs', deadlineMs);
  checkMs('render.timeoutMs', timeoutMs);
  checkRungs('render.rungs', rungs);
  if (bots === undefined) return { concurrency, maxQueued, deadlineMs, timeoutMs, rungs, bots };
  assertKnownOptions(bots, ['renderCold', 'staleSeconds']);
  const { renderCold = true, staleSeconds = 0 } = bots;
  check('render.bots.renderCold', renderCold, typeof renderCold === 'boolean', 'true or false');
  checkCount('render.bots.staleSeconds', staleSeconds, 0);
  const resolved = { renderCold, staleSeconds };
  return { concurrency, maxQueued, deadlineMs, timeoutMs, rungs, bots: resolved };
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
