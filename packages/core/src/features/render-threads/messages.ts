import type { Call, CallMaker } from '../../render/call.ts';
import type { WireError } from '../../threads/wire-error.ts';

/** One page to be rendered, as plain data. */
export interface RenderMessage {
  readonly kind: 'render';
  readonly id: number;
  /** Method and target, for messages. */
  readonly name: string;
  readonly url: string;
  /** `[name, value, name, value, ...]` */
  readonly headers: readonly string[];
  /** Headers that are not part of the page's key: reading one is an error. */
  readonly refused: readonly string[];
  readonly requestContext: unknown;
  /** Given if the main thread makes the calls of the render. */
  readonly calls: Pick<CallMaker, 'baseUrl'> | undefined;
}

/** A call that a render makes, as plain data. */
export interface CallMessage {
  readonly kind: 'call';
  /** Of the thread's call. */
  readonly call: number;
  /** The id of the render. */
  readonly render: number;
  readonly method: string;
  readonly url: string;
  /** `[name, value, name, value, ...]` */
  readonly headers: readonly string[];
  readonly body: Call['body'];
  readonly redirect: Call['redirect'];
  readonly cache: Call['cache'];
  readonly isCredentialed: boolean;
  readonly mode: Call['mode'];
  readonly referrer: Call['referrer'];
  readonly referrerPolicy: Call['referrerPolicy'];
  readonly isKeptAlive: boolean;
}

/** The answer to a call. */
export interface CalledMessage {
  readonly kind: 'called';
  readonly call: number;
  readonly status: number;
  readonly statusText: string;
  /** `[name, value, name, value, ...]` */
  readonly headers: readonly string[];
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly url: string;
  readonly isRedirected: boolean;
}

/** A page that was rendered. */
export interface RenderedMessage {
  readonly kind: 'rendered';
  readonly id: number;
  readonly status: number;
  /** `[name, value, name, value, ...]` */
  readonly headers: readonly string[];
  readonly body: ArrayBuffer;
  readonly hasErrors: boolean;
}

/** Messages to a thread. */
export type ToThread =
  | RenderMessage
  /** A check that it responds. */
  | { readonly kind: 'ping' }
  | CalledMessage
  | { readonly kind: 'call-failed'; readonly call: number; readonly error: WireError };

/** Messages from a thread. */
export type FromThread =
  /** The program is loaded: the thread can render. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong' }
  | RenderedMessage
  | CallMessage
  /** The caller has aborted the call. */
  | { readonly kind: 'call-aborted'; readonly call: number }
  /** The path is not the application's. */
  | { readonly kind: 'declined'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: WireError }
  /** An error that a render has left unhandled. */
  | { readonly kind: 'unhandled'; readonly error: WireError }
  /** The heap was nearly full after a full garbage collection: the thread should be replaced. */
  | { readonly kind: 'full' };
