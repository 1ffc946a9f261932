import { platform } from '#platform';
import type { SsrErrorCode } from '../errors.ts';
import type { Purge } from '../purge.ts';
import type { ServerEvent } from './server-description.ts';

/**
 * How a request was answered: from memory, from memory past the page's time, by a render, or without the
 * cache.
 */
export type CacheResult = 'hit' | 'stale' | 'miss' | 'bypass';

/** `ng-ssr:request`: a request that ng-ssr has answered, refusals and failures included. */
export interface RequestEvent {
  /** When it was answered, in milliseconds (Date.now()). */
  readonly timeMs: number;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** The length of the content that is sent; 0 without content, as for HEAD and 304. */
  readonly bytes: number;
  readonly result: CacheResult;
  /** The answer's Cache-Status (RFC 9211). */
  readonly cacheStatus: string;
  /** From the request's arrival here to its answer; 0 for a synchronous answer. */
  readonly durationMs: number;
}

/** `ng-ssr:render:start`: a render starts. */
export interface RenderStartEvent {
  /** The same object as in the render's end event. */
  readonly render: object;
  /** Method and target. */
  readonly name: string;
  readonly url: string;
  /** How long it was queued. */
  readonly queuedMs: number;
}

/** `ng-ssr:render:end`: a render has ended, or timed out. */
export interface RenderEndEvent {
  readonly render: object;
  readonly name: string;
  readonly durationMs: number;
  /** The page's status; undefined without a page. */
  readonly status: number | undefined;
  /** Why there is no page; also undefined when the path is not the application's. */
  readonly error: SsrErrorCode | undefined;
}

/** `ng-ssr:queue`: a render was queued or left the queue, started or ended. */
export interface QueueEvent {
  readonly queued: number;
  readonly running: number;
}

/** `ng-ssr:shed`: a request got a fallback, since there was no page in time. */
export interface ShedEvent {
  readonly target: string;
  readonly fallback: 'stale' | 'csr' | 'unavailable';
  readonly error: SsrErrorCode;
}

/** `ng-ssr:store`: a rendered page was stored, or was not. */
export interface StoreEvent {
  readonly path: string;
  readonly status: number;
  /** Undefined when it was stored; else why it was not, as in Cache-Status. */
  readonly reason: string | undefined;
  readonly bytes: number;
  readonly freshSeconds: number | undefined;
}

/** `ng-ssr:purge`: stored pages were purged, here or by another process. */
export interface PurgeEvent extends Purge {
  readonly isRemote: boolean;
}

/** `ng-ssr:edge`: a batch of purges was sent to the edge, and confirmed or given up. */
export interface EdgeEvent {
  /** The name of the edge: `Varnish`. */
  readonly edge: string;
  /** How many tags were to be purged. */
  readonly tags: number;
  /** With all retries. */
  readonly durationMs: number;
  readonly isConfirmed: boolean;
}

/** `ng-ssr:worker`: an event of a render thread. */
export interface WorkerEvent {
  /** `grow`: it was started in addition to the others. `shrink`: it ends without a successor. */
  readonly event: 'start' | 'ready' | 'grow' | 'shrink' | 'recycle' | 'lost' | 'end';
  readonly threadId: number;
  /** Why it was added, lost or recycled, or has no successor. */
  readonly reason: string | undefined;
}

/** How a call was answered: from memory, by another equal call, or by the API. */
export type CallResult = 'hit' | 'stale' | 'collapsed' | 'revalidated' | 'miss' | 'bypass';

/** `ng-ssr:call`: a call that a page has made while it rendered has ended. */
export interface CallEvent {
  /** The same object as in the events of its render. */
  readonly render: object;
  /** Method and target of the page. */
  readonly name: string;
  readonly method: string;
  /** Values of query parameters that may be secrets are left out. */
  readonly url: string;
  /** The pattern of its rule; empty without one. */
  readonly rule: string;
  /** When it began, in milliseconds (Date.now()). */
  readonly timeMs: number;
  /** Until its content had been read. */
  readonly durationMs: number;
  /** Undefined when the call failed. */
  readonly status: number | undefined;
  readonly error: SsrErrorCode | 'aborted' | undefined;
  readonly result: CallResult;
  /** Length of the content that was read. */
  readonly bytes: number;
}

/** `ng-ssr:notice`: something about the server or its engine, which concerns no single request, was reported. */
export interface NoticeEvent {
  readonly code: SsrErrorCode;
  readonly message: string;
}

/** Every channel of `node:diagnostics_channel` that ng-ssr publishes on, with its message. */
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
  readonly 'ng-ssr:notice': NoticeEvent;
  readonly 'ng-ssr:server': ServerEvent;
}

/** A channel with a typed message. */
export interface TypedChannel<Name extends keyof Channels> {
  /** Check it before you create a message: without subscribers, events cost nothing. */
  readonly hasSubscribers: boolean;
  publish(message: Channels[Name]): void;
  subscribe(listener: (message: Channels[Name]) => void): void;
  unsubscribe(listener: (message: Channels[Name]) => void): void;
}

/**
 * A channel of ng-ssr, for publishers and subscribers.
 *
 * @see https://nodejs.org/api/diagnostics_channel.html
 */
export function channelOf<Name extends keyof Channels>(name: Name): TypedChannel<Name> {
  return platform.channel(name) as unknown as TypedChannel<Name>;
}
