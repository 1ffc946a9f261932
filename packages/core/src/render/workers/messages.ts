import type { PlainError } from './plain-error.ts';

/** One page to be rendered, as plain data. */
export interface RenderMessage {
  readonly kind: 'render';
  readonly id: number;
  /** Method and target, for messages. */
  readonly name: string;
  readonly url: string;
  /** `[name, value, name, value, ...]` */
  readonly headers: readonly string[];
  /** Fields that are not part of the page's key: reading one is an error. */
  readonly refused: readonly string[];
  readonly requestContext: unknown;
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

/** Messages to a thread: a render, or a check that it responds. */
export type ToThread = RenderMessage | { readonly kind: 'ping' };

/** Messages from a thread. */
export type FromThread =
  /** The program is loaded: the thread can render. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong' }
  | RenderedMessage
  /** The path is not the application's. */
  | { readonly kind: 'declined'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: PlainError }
  /** An error that a render has left unhandled. */
  | { readonly kind: 'unhandled'; readonly error: PlainError }
  /** The heap was nearly full after a full garbage collection: the thread should be replaced. */
  | { readonly kind: 'full' };
