import type { AddedEncoding, IndexedFiles } from '../../files/indexed-files.ts';
import type { ReadyState } from '../../probes/probes.ts';
import type { Refresh } from '../../pages/refreshes.ts';
import type { Purge } from '../../purge.ts';
import type { ThreadCount } from '../../telemetry/thread-metrics.ts';
import type { AnsweredRequests } from '../../threads/server-threads.ts';
import type { WireError } from '../../threads/wire-error.ts';
import type { WireAnswer } from './wire-answer.ts';
import type { WireExchange } from './wire-exchange.ts';
import type { WireEntry } from './wire-page.ts';

/** What a server thread begins with. */
export interface ThreadStart {
  readonly files: IndexedFiles;
  /** The least recently used first. */
  readonly pages: readonly (readonly [key: string, entry: WireEntry])[];
  readonly state: ReadyState;
  /** The thread's counter of purges. */
  readonly counter: number;
  /** How many purges of each thread are in `pages`. */
  readonly told: Int32Array;
}

/** A request for an answer that only the main thread has. */
export interface RenderAsk {
  readonly kind: 'render';
  readonly id: number;
  readonly exchange: WireExchange;
  readonly requestContext: unknown;
}

/** Messages from a server thread. */
export type FromServerThread =
  | RenderAsk
  /** The client of a `render` has disconnected, or its deadline has passed. */
  | { readonly kind: 'left'; readonly id: number }
  | { readonly kind: 'purge'; readonly id: number; readonly purge: Purge }
  | { readonly kind: 'refresh'; readonly id: number; readonly refresh: Refresh }
  /** `isCounted`: among the purges that were asked for. */
  | { readonly kind: 'invalidate'; readonly target: string; readonly isCounted: boolean }
  /** Hits of stored pages since the last such message. */
  | { readonly kind: 'hits'; readonly hits: readonly (readonly [key: string, hits: number])[] }
  | (AnsweredRequests & { readonly kind: 'answered' })
  /** Asks for a `HostVerdict`. */
  | { readonly kind: 'host'; readonly id: number; readonly host: string }
  | { readonly kind: 'ready'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly collection: number }
  | { readonly kind: 'counts'; readonly id: number; readonly counts: readonly ThreadCount[][] }
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed-to-listen'; readonly error: WireError }
  /** `close` was called in the thread. */
  | { readonly kind: 'close' }
  /** Its connections were destroyed; `requests` were in flight. */
  | { readonly kind: 'cut'; readonly requests: number | undefined }
  /** Every request is answered. */
  | { readonly kind: 'drained' }
  /** Its handler is closed: the thread exits. */
  | { readonly kind: 'ended'; readonly error: WireError | undefined };

/** Messages to a server thread. */
export type ToServerThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: WireAnswer | undefined }
  | { readonly kind: 'hints'; readonly id: number; readonly links: readonly string[] }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: WireError }
  | { readonly kind: 'stored'; readonly key: string; readonly entry: WireEntry }
  | { readonly kind: 'dropped'; readonly key: string }
  | {
      readonly kind: 'refreshed';
      readonly key: string;
      readonly isRefreshing: boolean;
      /** By the clock of all threads. */
      readonly retryAtMs: number;
    }
  | { readonly kind: 'purged'; readonly purge: Purge }
  /** The purges that the thread of this counter has asked for first are in the messages before this one. */
  | { readonly kind: 'told'; readonly counter: number; readonly told: number }
  | { readonly kind: 'encoded'; readonly added: AddedEncoding }
  | { readonly kind: 'state'; readonly state: ReadyState }
  | { readonly kind: 'count'; readonly id: number }
  /** The shutdown begins: answers say that they are the last of their connections. */
  | { readonly kind: 'announce-close' }
  /** No more connections: the thread ends when its requests are answered. */
  | { readonly kind: 'end' }
  | { readonly kind: 'cut' };
