import type { StoredPageReport } from '../../pages/stored-pages.ts';
import type { CacheResult } from '../../telemetry/channels.ts';

/** `GET <path>/state`: the figures of the server, now and in the last minutes. */
export interface InspectorState {
  /** When this was written, in milliseconds (Date.now()). */
  readonly timeMs: number;
  readonly startedAtMs: number;
  readonly pid: number;
  readonly buildId: string;
  readonly versions: { readonly ngSsr: string; readonly node: string };
  /** Requests since the start, by result. `file`: built files and other hits that are not cached pages. */
  readonly requests: Readonly<Record<CacheResult | 'file', number>>;
  readonly renders: RendersState;
  /** Requests since the start that got a fallback. */
  readonly shed: Readonly<Record<'stale' | 'csr' | 'unavailable', number>>;
  readonly pages: {
    readonly count: number;
    readonly bytes: number;
    readonly maxBytes: number;
  };
  readonly calls: CallsState;
  readonly memory: MemoryState;
  readonly threads: readonly ThreadState[];
  /** The 50 routes whose renders took the most time in total. */
  readonly routes: readonly RouteState[];
  /** The slots of `withSlots()`. */
  readonly slots: readonly SlotState[];
  /** The last 20 problems that the server reported, latest first. */
  readonly notices: readonly NoticeState[];
  /** One sample per second for five minutes, oldest first. */
  readonly history: readonly Sample[];
}

export interface RendersState {
  readonly inFlight: readonly RenderInFlight[];
  readonly queued: number;
  readonly concurrency: number;
  readonly maxQueued: number;
  /** Completed renders since the start. */
  readonly ended: number;
  /** Renders without a page. */
  readonly failed: number;
  /** Unhandled errors of pages (`NG_SSR_ERROR_UNHANDLED`). Their pages were sent. */
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
  /** API calls that got a cached response, or shared one with an equal call. */
  readonly saved: number;
  readonly storedBytes: number;
}

export interface MemoryState {
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly heapLimitBytes: number;
  /** Memory limit of the process: of its cgroup, or of the machine. */
  readonly limitBytes: number;
}

export interface ThreadState {
  readonly threadId: number;
  readonly kind: 'render' | 'server';
  readonly state: 'starting' | 'ready' | 'ending';
  /** Renders or requests since the start of the thread. */
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

/** A slot, and how many responses since the start had it with each result. */
export interface SlotState {
  readonly name: string;
  /** Patterns of the pages that have it. */
  readonly routes: readonly string[];
  /** The URL of the HttpClient call that gets its data, if there is one. */
  readonly call?: string | undefined;
  readonly filled: number;
  readonly failed: number;
  /** `fill` took longer than `timeoutMs`. */
  readonly timeout: number;
  /** `fill` was not called, because earlier calls were too late. */
  readonly skipped: number;
}

export interface NoticeState {
  readonly timeMs: number;
  /** As `onError` gets it. */
  readonly code: string;
  readonly message: string;
}

/** The figures of one second. */
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

/** `GET <path>/pages?search=&sort=&limit=&offset=`: the cached pages of this process. */
export interface InspectorPages {
  /** Number of pages that match the search. */
  readonly found: number;
  readonly pages: readonly InspectedPage[];
}

export interface InspectedPage extends StoredPageReport {
  /** Responses from memory since the page was cached. */
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
 * `POST <path>/explain` with an {@link ExplainRequest}: what the server would do with a GET request. It renders and
 * changes nothing.
 */
export interface Explanation {
  readonly url: string;
  /**
   * `held`: a built file. `stored`: a cached page. `constant`: a page without data, such as the CSR page. `server`: the
   * server itself, such as a probe or a redirect to a locale. `render`: the next request renders it. `refused`: an error
   * status.
   */
  readonly answer: 'held' | 'stored' | 'constant' | 'server' | 'render' | 'refused';
  /** Undefined if a render or your check decides. */
  readonly status: number | undefined;
  /** The reasons in sentences, most important first. */
  readonly reasons: readonly string[];
  /** Of the page store; undefined for requests that have none. */
  readonly key: string | undefined;
  /** The pattern of the route rule that applies, and its settings. */
  readonly rule: { readonly pattern: string; readonly settings: unknown } | undefined;
  /** Other rules whose patterns the path matches, with the reason why they do not apply. */
  readonly otherRules: readonly { readonly pattern: string; readonly reason: string }[];
  /** In a localized build. */
  readonly locale: string | undefined;
  /** Whether a rendered page would be cached, as far as known without a render. */
  readonly storing: StoringForecast | undefined;
  /** Fallbacks, in order, if the page is not ready in time. */
  readonly fallbacks: readonly ('stale' | 'queue' | 'csr')[];
  readonly page: InspectedPage | undefined;
  /** Why the page of the last render was not cached, as in Cache-Status. */
  readonly notStored: { readonly reason: string; readonly timeMs: number } | undefined;
  /** Why the last render of this path failed; undefined if it did not. */
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
