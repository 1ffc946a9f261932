import type { ContentEncoding } from '../http/accept-encoding.ts';
import type { DictionaryEncoding } from '../http/dictionary-encoding.ts';
import type { Waiter } from '../render/demand.ts';

/** An encoding against a dictionary. */
export interface EncodingWithDictionary {
  readonly encoding: DictionaryEncoding;
  /** The name of the dictionary: see `Resource.withDictionary`. */
  readonly dictionary: string;
  encode(content: Uint8Array): Promise<Uint8Array>;
}

/** Codes rendered pages. */
export interface Encoder {
  /**
   * Codes the content, once for all requests that wait for it.
   *
   * @param name - Of the page, for messages.
   * @param waiter - The request that waits for it; undefined for the server itself.
   * @returns undefined if there is no time, or it is not worth it. Never rejects.
   */
  code(
    body: Uint8Array,
    encoding: ContentEncoding | EncodingWithDictionary,
    name: string,
    waiter?: Waiter,
  ): Promise<Uint8Array | undefined>;
}

/** Leaves pages as they are, for platforms that code answers themselves. */
export const NO_ENCODER: Encoder = { code: () => Promise.resolve(undefined) };
