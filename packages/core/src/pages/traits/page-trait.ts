import type { Fill } from '../../answers/fill.ts';
import type { EncodingWithDictionary } from '../../answers/encoder.ts';
import type { Choose, Resource } from '../../answers/resource.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import type { StoredPage } from '../stored-page.ts';

/**
 * What a feature adds to the pages of a server: headers by moment, a part for each client, another form for some
 * clients. All members are optional.
 *
 * A page is asked about once, when it is taken into memory: after its render, from a store that processes share, or as
 * the copy of a server thread. The marks stay with it, so a hit calls only the functions that they contain, and none
 * for a page without marks. No member may depend on the request that has caused the render.
 *
 * Each member is called in the order of the traits, see `PageTraits.join`, and gets what those before have made.
 */
export interface PageTrait {
  /**
   * Looks at each page that was rendered, whether it is stored or not.
   *
   * @param name - Method and target, for messages.
   * @throws Error if the page must not be sent: the request is answered with 500, as `NG_SSR_FEATURE_FAILED` unless it is an SsrError.
   */
  check?(rendered: RenderedPage, name: string): void;
  /**
   * Why a rendered page that may be stored otherwise must not be: a word, which Cache-Status names. The answer is
   * `no-store`, for other caches too.
   *
   * @returns undefined if it may be stored.
   */
  refuse?(rendered: RenderedPage): string | undefined;
  /**
   * How each client gets an answer of its own, made of this one: a page stored or not, or a built file, also a script.
   * Called once for what is held, before any trait has filled it. The answers are `private, no-store`, without ETag.
   *
   * @returns undefined if all clients get the same. The function must fill the answer that it gets, not this one.
   */
  fillOf?(answer: Answer): Fill | undefined;
  /**
   * Marks a page that is taken into memory.
   *
   * @returns undefined if the trait has nothing to do with it.
   */
  keep?(page: StoredPage, how: Keeping): PageMarks | undefined;
  /** Changes the answer with a page that is not stored. It is encoded and filled already. */
  pass?(answer: Answer, exchange: Exchange): Answer;
  /** The page for a store that processes share: without anything that only this process knows. */
  toStored?(page: StoredPage): StoredPage;
  /**
   * The page that another process has put into the store.
   *
   * @returns undefined if this process cannot use it, and renders its own.
   */
  fromStored?(page: StoredPage): StoredPage | undefined;
}

/** A page as an engine has rendered it. */
export interface RenderedPage {
  readonly response: { readonly status: number; readonly headers: Headers };
  readonly body: Uint8Array;
}

/** How a page is taken into memory. */
export interface Keeping {
  /** The query of the page without the ignored parameters, with a leading `?`; empty for none. */
  readonly query: string;
  /** Whether it is sent in content encodings. */
  readonly isEncoded: boolean;
  /** Whether each client gets an answer of its own: see {@link PageTrait.fillOf}. */
  readonly isFilled: boolean;
}

/** What a trait has to say about one page in memory. */
export interface PageMarks {
  /** A request header that selects among the forms of the page, besides Accept-Encoding: added to Vary. */
  readonly vary?: string | undefined;
  /** The headers of its answers. Called once, after all traits have kept the page. */
  readonly headers?: ((kept: KeptHeaders) => MarkedHeaders) | undefined;
  /** Whether a client waits for the encoding that it accepts, where others get a page unencoded as long as it is made. */
  readonly awaitsEncoding?: boolean | undefined;
  /** Chooses the form for a client, with headers of its own, at each hit. The first trait that has one decides. */
  readonly choose?: Choose | undefined;
  /** The encoding that is to be made for a client: a hit starts it, and a client that waits anyway waits for it. */
  readonly wanted?:
    | ((exchange: Exchange, page: Resource<unknown>) => EncodingWithDictionary | undefined)
    | undefined;
  /**
   * The page is in memory now.
   *
   * @param isHeld - Whether a page is still held for the key, at any later time: false once it is purged, too.
   */
  readonly stored?: ((key: string, isHeld: () => boolean) => void) | undefined;
  /** The page has left the memory. */
  readonly dropped?: ((key: string, hasSuccessor: boolean) => void) | undefined;
}

/** The headers of a page so far. */
export interface KeptHeaders {
  /** Those of the page itself, as the traits before have changed them: `[name, value, name, value, ...]`. */
  readonly headers: readonly string[];
  /** The value of Vary that its answers have. */
  readonly vary: string | undefined;
  /** What the traits before add: in all answers, or at some time. */
  readonly added: readonly string[];
}

/** The headers of a page with those of a trait. */
export interface MarkedHeaders {
  /** In place of those of the page itself. */
  readonly headers?: readonly string[] | undefined;
  /** Besides, in all answers. */
  readonly always?: readonly string[] | undefined;
  /** Besides, as long as the page is fresh and was not purged. */
  readonly fresh?: readonly string[] | undefined;
  /** Besides, at any other time. */
  readonly stale?: readonly string[] | undefined;
}
