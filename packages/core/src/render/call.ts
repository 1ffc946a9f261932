/** A call that a render makes with `fetch`, checked and with its URL resolved. */
export interface Call {
  readonly method: string;
  /** Absolute, of http or https, without a fragment. */
  readonly url: string;
  readonly headers: Headers;
  /** Bytes can be sent more than once. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  readonly redirect: Request['redirect'];
  readonly cache: Request['cache'];
  /**
   * Whether the caller asks for the visitor's credentials (`credentials: 'include'`). `same-origin` is the default of `fetch`
   * and of libraries, so it says nothing about what the caller wants.
   */
  readonly isCredentialed: boolean;
  readonly mode: Request['mode'];
  /** An absolute URL, from which Referer is made; undefined for none. */
  readonly referrer: string | undefined;
  readonly referrerPolicy: Request['referrerPolicy'];
  /** Whether it may outlive its render, as a report that is sent while a document is unloaded. */
  readonly isKeptAlive: boolean;
}

/** The answer to a call, as plain data. */
export interface CallAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Null for a status without content. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** After redirects. */
  readonly url: string;
  readonly isRedirected: boolean;
}

/** Makes the calls of one render. */
export interface CallMaker {
  /** The URL against which relative URLs are resolved, as `<base>` says. Default: the page's. */
  readonly baseUrl?: string | undefined;
  /** Whether the render has ended. */
  readonly isOver: boolean;
  /** Rejects with the reason of the caller's signal, else with an SsrError `NG_SSR_CALL_...`. */
  make(call: Call): Promise<CallAnswer>;
}

/** A content that was read to its end. */
export async function wholeBody(body: Call['body']): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!(body instanceof ReadableStream)) return body;
  return new Uint8Array(await new Response(body).arrayBuffer());
}
