import { encodings } from '../http/encodings.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import { AVAILABLE } from '../http/content-encoding.ts';
import { count } from '../options/option-values.ts';
import { group, optional, withDefault } from '../options/option.ts';
import type { Fallback } from './fallbacks.ts';
import { NEUTRAL_RENDER_TABLE, type NeutralRender } from './neutral-render-options.ts';
import type { ThreadBounds } from './render-threads.ts';

/** Options for rendering and overload. */
export interface RenderOptions {
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
  /** Undefined: {@link defaultConcurrency}. */
  readonly concurrency: number | undefined;
  readonly maxQueued: number;
  /** In the server's order of preference, for clients that weight several equally. */
  readonly encodings: readonly ContentEncoding[];
}

/** Of encodings with equal weight, the one that costs least CPU per byte saved: see bench/findings.md. */
const ORDER: readonly ContentEncoding[] = ['zstd', 'br', 'gzip'];

const renderOptions = group(
  {
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
  const { encodings = defaultEncodings, ...others } = renderOptions('render', given);
  return {
    ...others,
    encodings: ORDER.filter(
      (encoding) => encodings.includes(encoding) && AVAILABLE.includes(encoding),
    ),
  };
}

/** @param threads - Undefined if pages render on the main thread. */
export function defaultConcurrency(threads: ThreadBounds | undefined): number {
  return threads === undefined ? 16 : 4 * threads.max;
}
