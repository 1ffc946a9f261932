import type { UncaughtJudge } from './uncaught.ts';

/**
 * What the request path takes from the runtime. The import `#platform` is Node's own on Node, Bun and Deno (condition
 * `node` of package.json), and the neutral one in bundles for other runtimes, which have no `node:` modules.
 */
export interface Platform {
  readonly name: 'node' | 'neutral';
  /** A value that follows asynchronous code. Without Node's there is never one. */
  createContext<T>(): AsyncContext<T>;
  /** Binds a function to the asynchronous context of now. */
  bindToContext(run: () => void): () => void;
  /** A channel for events: a Node one is seen by all programs of the process, a neutral one by this bundle. */
  channel(name: string): Channel;
  /** An object as text for people. May throw. */
  show(value: object | undefined | null | string | number | boolean | bigint | symbol): string;
  /** A stack in which the files of the source are named, where source maps are beside the bundles. Never throws. */
  nameSources(stack: string): string;
  /** Has the process end with 1 where an uncaught error gets a text; does nothing without Node's process. */
  watchUncaught(judge: UncaughtJudge): void;
  unwatchUncaught(judge: UncaughtJudge): void;
  /** The UTF-8 bytes of a text. */
  toBytes(text: string): Uint8Array<ArrayBuffer>;
  /** The same memory as the platform's servers take it: a Buffer on Node. */
  viewOf<Memory extends ArrayBufferLike>(bytes: Uint8Array<Memory>): Uint8Array<Memory>;
  /** A text with one character for each byte, in which ASCII is ASCII. */
  toByteText(bytes: Uint8Array): string;
  isSameContent(one: Uint8Array, other: Uint8Array): boolean;
  /** Compares digests, so that the time does not depend on the secret. */
  isSameSecret(given: string, secret: string): boolean | Promise<boolean>;
}

/** As AsyncLocalStorage of `node:async_hooks`. */
export interface AsyncContext<T> {
  getStore(): T | undefined;
  run<R>(store: T, run: () => R): R;
}

/** As Channel of `node:diagnostics_channel`. */
export interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
  subscribe(listener: (message: unknown, name: string) => void): void;
  unsubscribe(listener: (message: unknown, name: string) => void): void;
}
