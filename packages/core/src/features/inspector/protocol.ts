import type { StoredPageReport } from '../../pages/stored-pages.ts';
import type { CacheResult } from '../../telemetry/channels.ts';

/** `GET <path>/state`: how the server does, and how it did in the last minutes. */
export interface InspectorState {
  /** When this was written, in milliseconds (Date.now()). */
  readonly timeMs: number;
  readonly startedAtMs: number;
  readonly pid: number;
  readonly buildId: string;
  readonly versions: { readonly ngSsr: string; readonly node: string };
  /** Answered requests since the start. `file`: the hits that are not cached pages, such as built files. */
  readonly requests: Readonly<Record<CacheResult | 'file', number>>;
  readonly renders: RendersState;
  /** Requests that got a fallback in place of their page, since the start. */
  readonly shed: Readonly<Record<'stale' | 'csr' | 'unavailable', number>>;
  readonly pages: {
    readonly count: number;
    readonly bytes: number;
    readonly maxBytes: number;
  };
  readonly calls: CallsState;
  readonly memory: MemoryState;
  readonly threads: readonly ThreadState[];
  /** The routes whose renders took the most time together, the first of them first; 50 at most. */
  readonly routes: readonly RouteState[];
  /** What the server has reported about itself, the latest first; 20 at most. */
  readonly notices: readonly NoticeState[];
  /** One for each second, the oldest first; five minutes at most. */
  readonly history: readonly Sample[];
}

export interface RendersState {
  readonly inFlight: readonly RenderInFlight[];
  readonly queued: number;
  readonly concurrency: number;
  readonly maxQueued: number;
  /** Ended renders since the start. */
  readonly ended: number;
  /** Those of them without a page. */
  readonly failed: number;
  /** Errors that pages have left unhandled (`NG_SSR_ERROR_UNHANDLED`). Their pages were sent. */
  readonly pageErrors: number;
}

export interface RenderInFlight {
  /** Method and target. */
  readonly name: string;
  readonly queuedMs: number;
  readonly sinceMs: number;
}

export interface CallsState {
  readonly count: number;
  readonly failed: number;
  /** Calls answered from memory or by an equal call. */
  readonly saved: number;
  readonly storedBytes: number;
}

export interface MemoryState {
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly heapLimitBytes: number;
  /** What the process may use: that of its cgroup, or the machine's. */
  readonly limitBytes: number;
}

export interface ThreadState {
  readonly threadId: number;
  readonly kind: 'render' | 'server';
  readonly state: 'starting' | 'ready' | 'ending';
  /** Renders, or requests, since its start. */
  readonly done: number;
}

export interface RouteState {
  /** The pattern of its rule, or a path in which segments that look like values are `*`. */
  readonly route: string;
  readonly renders: number;
  readonly failed: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

export interface NoticeState {
  readonly timeMs: number;
  /** As `onError` gets it. */
  readonly code: string;
  readonly message: string;
}

/** What happened in one second. */
export interface Sample {
  readonly timeMs: number;
  readonly requests: Readonly<Record<CacheResult | 'file', number>>;
  /** Renders that ended, and their durations together. */
  readonly renders: number;
  readonly renderMs: number;
  readonly queued: number;
  readonly running: number;
  readonly shed: Readonly<Record<'stale' | 'csr' | 'unavailable', number>>;
  readonly rssBytes: number;
  /** CPU time of the process. */
  readonly cpuMs: number;
}

/** `GET <path>/pages?search=&sort=&limit=&offset=`: the stored pages of this process. */
export interface InspectorPages {
  /** Of all pages that the search finds. */
  readonly found: number;
  readonly pages: readonly InspectedPage[];
}

export interface InspectedPage extends StoredPageReport {
  /** Answers from memory since it was stored. */
  readonly hits: number;
}

/** The request that `POST <path>/explain` explains. */
export interface ExplainRequest {
  /** An absolute URL (http or https), or a target from `/`, for the host of the inspector's request. */
  readonly url: string;
  /** Request headers by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** `page-decides`: the page's own headers do, such as its Cache-Control. */
export interface StoringForecast {
  readonly verdict: 'yes' | 'no' | 'page-decides';
  readonly reason: string;
}

/**
 * `POST <path>/explain` with an {@link ExplainRequest}: what the server would do with a GET request. Renders nothing,
 * and changes nothing.
 */
export interface Explanation {
  readonly url: string;
  /**
   * `held`: a built file. `stored`: a stored page. `constant`: a page without data, such as the CSR page.
   * `server`: the server itself, such as a probe or the redirect to a locale. `render`: the next request renders it.
   * `refused`: an error status.
   */
  readonly answer: 'held' | 'stored' | 'constant' | 'server' | 'render' | 'refused';
  /** Undefined where a render or a user's check decides. */
  readonly status: number | undefined;
  /** In sentences, the most important one first: why it is answered so. */
  readonly reasons: readonly string[];
  /** Of the page store; undefined for requests that have none. */
  readonly key: string | undefined;
  /** The pattern of the route rule that applies, and its settings. */
  readonly rule: { readonly pattern: string; readonly settings: unknown } | undefined;
  /** Other rules whose patterns the path matches, with the reason why they do not apply. */
  readonly otherRules: readonly { readonly pattern: string; readonly reason: string }[];
  /** In a localized build. */
  readonly locale: string | undefined;
  /** Whether the page of a render would be stored, as far as it is known without one. */
  readonly storing: StoringForecast | undefined;
  /** What a request gets if its page is not ready in time, in this order. Of answers that may need a render. */
  readonly fallbacks: readonly ('stale' | 'queue' | 'csr')[];
  readonly page: InspectedPage | undefined;
  /** What the last render of this path said when it was not stored: as in Cache-Status. */
  readonly notStored: { readonly reason: string; readonly timeMs: number } | undefined;
  /** How the last render of this path has failed; undefined if it has not. */
  readonly failure:
    { readonly code: string; readonly message: string; readonly timeMs: number } | undefined;
  readonly representations: readonly {
    readonly encoding: string;
    readonly bytes: number;
    readonly etag: string | undefined;
  }[];
  /** Of the last render of this path. */
  readonly calls: readonly {
    readonly method: string;
    readonly url: string;
    readonly rule: string;
    readonly result: string;
    readonly durationMs: number;
  }[];
}
