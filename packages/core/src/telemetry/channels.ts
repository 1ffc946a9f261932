import { platform } from '#platform';
import type { SsrErrorCode } from '../errors.ts';
import type { Purge } from '../purge.ts';
import type { ServerEvent } from './server-description.ts';

/**
 * How a request was answered: `hit` from memory, `stale` from memory with an expired page, `miss` by a render, `bypass`
 * without the cache.
 */
export type CacheResult = 'hit' | 'stale' | 'miss' | 'bypass';

/**
 * `ng-ssr:request`: ng-ssr has answered a request, also with an error. Requests of your own routes are not published.
 */
export interface RequestEvent {
  /** Time of the response, in milliseconds since 1970 (`Date.now()`). */
  readonly timeMs: number;
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  readonly status: number;
  /** Bytes of the body, as encoded; 0 without a body, as for HEAD and 304. */
  readonly bytes: number;
  readonly result: CacheResult;
  /** The Cache-Status header (RFC 9211). */
  readonly cacheStatus: string;
  /** Milliseconds from the arrival of the request to its response; 0 for a synchronous response. */
  readonly durationMs: number;
}

/** `ng-ssr:render:start`: a render starts. */
export interface RenderStartEvent {
  /** The same object as in the render's end event. */
  readonly render: object;
  /** Method and target, such as `GET /products/3`. */
  readonly name: string;
  /** The absolute URL of the page. */
  readonly url: string;
  /** Milliseconds in the queue. */
  readonly queuedMs: number;
}

/** `ng-ssr:render:end`: a render has ended, or timed out. */
export interface RenderEndEvent {
  /** The same object as in the render's start event. */
  readonly render: object;
  /** Method and target, such as `GET /products/3`. */
  readonly name: string;
  /** Milliseconds, without the queue. */
  readonly durationMs: number;
  /** Status of the page; undefined without a page. */
  readonly status: number | undefined;
  /** The code if there is no page; undefined if the application does not have the path. */
  readonly error: SsrErrorCode | undefined;
}

/** `ng-ssr:queue`: a render was queued or left the queue, started or ended. */
export interface QueueEvent {
  /** Requests in the queue. */
  readonly queued: number;
  /** Concurrent renders. */
  readonly running: number;
}

/** `ng-ssr:shed`: a request got a fallback, because its page was not ready in time. */
export interface ShedEvent {
  /** Path and query. */
  readonly target: string;
  /** A stale page, `index.csr.html`, or 503. */
  readonly fallback: 'stale' | 'csr' | 'unavailable';
  /** The reason, such as `NG_SSR_OVERLOADED` or `NG_SSR_DEADLINE_PASSED`. */
  readonly error: SsrErrorCode;
}

/** `ng-ssr:store`: a rendered page was cached, or was not. */
export interface StoreEvent {
  readonly path: string;
  readonly status: number;
  /** Undefined if the page was cached; else the reason, as in the `detail` of Cache-Status. */
  readonly reason: string | undefined;
  /** Bytes of the body, unencoded. */
  readonly bytes: number;
  /** Seconds that the page is fresh; undefined if it was not cached. */
  readonly freshSeconds: number | undefined;
}

/** `ng-ssr:purge`: cached pages were purged. */
export interface PurgeEvent extends Purge {
  /** Whether another process purged them. */
  readonly isRemote: boolean;
}

/** `ng-ssr:edge`: a batch of purges was sent to the CDN of `withEdge()`. */
export interface EdgeEvent {
  /** The name of the CDN, such as `Varnish`. */
  readonly edge: string;
  /** Number of tags. */
  readonly tags: number;
  /** Milliseconds, with all retries. */
  readonly durationMs: number;
  /** False if the CDN may still serve old pages (`NG_SSR_EDGE_UNAVAILABLE`). */
  readonly isConfirmed: boolean;
}

/** `ng-ssr:worker`: an event of a render thread. */
export interface WorkerEvent {
  /** `grow`: an additional thread starts. `shrink`: a thread ends and is not replaced. `recycle`: it is replaced. */
  readonly event: 'start' | 'ready' | 'grow' | 'shrink' | 'recycle' | 'lost' | 'end';
  /** As `threadId` of node:worker_threads. */
  readonly threadId: number;
  /** The reason of `grow`, `shrink`, `recycle` and `lost`. */
  readonly reason: string | undefined;
}

/**
 * How an API call was answered: `hit` and `stale` from memory, `collapsed` by an equal concurrent call, `revalidated`
 * by a 304 of the API, `miss` and `bypass` by the API.
 */
export type CallResult = 'hit' | 'stale' | 'collapsed' | 'revalidated' | 'miss' | 'bypass';

/** `ng-ssr:call`: an API call of a page has ended. */
export interface CallEvent {
  /** The same object as in the events of its render. */
  readonly render: object;
  /** Method and target of the page, such as `GET /blog`. */
  readonly name: string;
  readonly method: string;
  /** The URL of the API, without values of query parameters that may be secrets. */
  readonly url: string;
  /** The pattern of its rule; empty without one. */
  readonly rule: string;
  /** Time of its start, in milliseconds since 1970 (`Date.now()`). */
  readonly timeMs: number;
  /** Milliseconds until its body was read. */
  readonly durationMs: number;
  /** Undefined if the call failed. */
  readonly status: number | undefined;
  /** The code of a failed call, such as `NG_SSR_CALL_TIMEOUT`; `aborted` if the page aborted it. */
  readonly error: SsrErrorCode | 'aborted' | undefined;
  readonly result: CallResult;
  /** Bytes of the body that were read. */
  readonly bytes: number;
}

/** `ng-ssr:slot`: a slot of `withSlots()` was filled, or keeps its fallback. */
export interface SlotEvent {
  readonly slot: string;
  /** `skipped`: `fill` was not called, because earlier calls were too late. */
  readonly result: 'filled' | 'failed' | 'timeout' | 'skipped';
  /** Milliseconds that `fill` took; 0 if it was not called. */
  readonly durationMs: number;
}

/** `ng-ssr:notice`: a notice about the server or its engine was reported, not about one request. */
export interface NoticeEvent {
  readonly code: SsrErrorCode;
  readonly message: string;
}

/** The channels of `node:diagnostics_channel` that ng-ssr publishes on, by name, with their messages. */
export interface Channels {
  readonly 'ng-ssr:request': RequestEvent;
  readonly 'ng-ssr:render:start': RenderStartEvent;
  readonly 'ng-ssr:render:end': RenderEndEvent;
  readonly 'ng-ssr:queue': QueueEvent;
  readonly 'ng-ssr:shed': ShedEvent;
  readonly 'ng-ssr:store': StoreEvent;
  readonly 'ng-ssr:purge': PurgeEvent;
  readonly 'ng-ssr:edge': EdgeEvent;
  readonly 'ng-ssr:worker': WorkerEvent;
  readonly 'ng-ssr:call': CallEvent;
  readonly 'ng-ssr:slot': SlotEvent;
  readonly 'ng-ssr:notice': NoticeEvent;
  readonly 'ng-ssr:server': ServerEvent;
}

/** A channel with a typed message. */
export interface TypedChannel<Name extends keyof Channels> {
  /** Check it before you create a message: without subscribers, events cost nothing. */
  readonly hasSubscribers: boolean;
  /** Calls the listeners with a message. */
  publish(message: Channels[Name]): void;
  /** Adds a listener, which is called synchronously: keep it fast. */
  subscribe(listener: (message: Channels[Name]) => void): void;
  /** Removes a listener. */
  unsubscribe(listener: (message: Channels[Name]) => void): void;
}

/**
 * A channel of `node:diagnostics_channel` with the typed messages of {@link Channels}. All servers of a process publish
 * on the same channels.
 *
 * @see https://nodejs.org/api/diagnostics_channel.html
 * @example
 * ```ts
 * channelOf('ng-ssr:request').subscribe(({ method, target, status, durationMs }) =>
 *   console.log(method, target, status, durationMs),
 * );
 * ```
 */
export function channelOf<Name extends keyof Channels>(name: Name): TypedChannel<Name> {
  return platform.channel(name) as unknown as TypedChannel<Name>;
}
