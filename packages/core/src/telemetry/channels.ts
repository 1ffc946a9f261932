import { channel } from 'node:diagnostics_channel';
import type { SsrErrorCode } from '../errors.ts';
import type { Rung } from '../render/render-options.ts';
import type { Purge } from '../stored/page-store.ts';

/** What became of a request: answered from memory, so but past its time, rendered, or never stored. */
export type CacheResult = 'hit' | 'stale' | 'miss' | 'bypass';

/** `ng-ssr:request`: a request that ng-ssr has answered, refusals and failures included. */
export interface RequestEvent {
  /** When it was answered, in milliseconds as Date.now() has them. */
  readonly timeMs: number;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Of the content that is sent; 0 where there is none, as for HEAD and 304. */
  readonly bytes: number;
  readonly result: CacheResult;
  /** The answer's Cache-Status (RFC 9211). */
  readonly cacheStatus: string;
  /** From the request's arrival here to its answer; 0 for what is answered synchronously. */
  readonly durationMs: number;
}

/** `ng-ssr:render:start`: a render begins. */
export interface RenderStartEvent {
  /** The same object in the render's end. */
  readonly render: object;
  /** Method and target. */
  readonly name: string;
  readonly url: string;
  /** How long it has waited for its turn. */
  readonly queuedMs: number;
}

/** `ng-ssr:render:end`: a render has ended, or was given up. */
export interface RenderEndEvent {
  readonly render: object;
  readonly name: string;
  readonly durationMs: number;
  /** The page's status; undefined where there is no page. */
  readonly status: number | undefined;
  /** Why there is none; undefined too when the path is not the application's. */
  readonly error: SsrErrorCode | undefined;
}

/** `ng-ssr:queue`: a render begins to wait, or ceases to. */
export interface QueueEvent {
  readonly queued: number;
  readonly running: number;
}

/** `ng-ssr:shed`: a request got no page in time, and this in its place. */
export interface ShedEvent {
  readonly target: string;
  readonly rung: Exclude<Rung, 'queue'> | 'unavailable';
  readonly error: SsrErrorCode;
}

/** `ng-ssr:store`: a page was stored, or was not. */
export interface StoreEvent {
  readonly path: string;
  readonly status: number;
  /** Undefined when it was stored; else why not, as Cache-Status says it. */
  readonly reason: string | undefined;
  readonly bytes: number;
  readonly freshSeconds: number | undefined;
}

/** `ng-ssr:purge`: stored pages were purged, here or by another process. */
export interface PurgeEvent extends Purge {
  readonly isRemote: boolean;
}

/** `ng-ssr:worker`: what happens to a thread that renders. */
export interface WorkerEvent {
  readonly event: 'start' | 'ready' | 'recycle' | 'lost' | 'end';
  readonly threadId: number;
  /** Why it was lost or recycled. */
  readonly reason: string | undefined;
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
  readonly 'ng-ssr:worker': WorkerEvent;
}

/** A channel that knows its message. */
export interface TypedChannel<Name extends keyof Channels> {
  /** Asked before a message is made: nobody who listens costs nothing. */
  readonly hasSubscribers: boolean;
  publish(message: Channels[Name]): void;
  subscribe(listener: (message: Channels[Name]) => void): void;
  unsubscribe(listener: (message: Channels[Name]) => void): void;
}

/**
 * A channel of ng-ssr's, for those who publish and for those who listen.
 *
 * @see https://nodejs.org/api/diagnostics_channel.html
 */
export function channelOf<Name extends keyof Channels>(name: Name): TypedChannel<Name> {
  return channel(name) as unknown as TypedChannel<Name>;
}
