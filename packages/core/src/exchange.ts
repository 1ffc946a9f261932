import type { SsrError } from './errors.ts';

/**
 * One request as plain data: all that the core sees of a framework's request. An adapter creates one per
 * request, so creating it must be cheap.
 */
export interface Exchange {
  /** The method as received, upper case. */
  readonly method: string;
  /** The request target exactly as it stood on the request line (RFC 9112 section 3.2). */
  readonly target: string;
  /**
   * The target below the framework's mount path: it finds built files and probes, `target` finds pages.
   * Default: `target`.
   */
  readonly targetBelowMount?: string | undefined;
  /** Whether this server's own connection is encrypted. What a proxy reports is read from its headers. */
  readonly encrypted: boolean;
  /**
   * The port of this server's own end of the connection: a Host with another port is refused, unless it is in
   * `allowedHosts`. Undefined where it is not known, as on a Unix socket; then only such entries allow a port. 0 when
   * the connection has ended.
   */
  readonly localPort?: number | undefined;
  /** The status an earlier middleware has chosen for this response; 200 when none did. */
  readonly status: number;
  /**
   * The value of a request header. Several lines are joined by `, ` (RFC 9110 section 5.3), so a repeated Host
   * is one malformed value. Under HTTP/2 `host` falls back to `:authority`.
   *
   * @param name - The header name in lower case.
   */
  header(name: string): string | undefined;
  /**
   * The content of the request. Endpoints read it: the purge endpoint, and those of features.
   *
   * @returns undefined when it is longer than `maxBytes`. Rejects when the client leaves before its end.
   */
  content(maxBytes: number): Promise<Uint8Array | undefined>;
  /**
   * Calls back at most once, when the client disconnects before it is answered. A queued render is dropped
   * when its last client disconnects. Called only for a render. Without this method no disconnect is
   * reported.
   *
   * @returns a function that removes the listener.
   */
  onDisconnect?(listener: () => void): () => void;
  /**
   * Sends an interim response 103 (Early Hints, RFC 8297). Called at most once, before the answer, for a
   * browser's navigation that waits for a render. Must not throw, and does nothing where the protocol or the
   * client knows no interim responses (HTTP/1.0). Without this method no hints are sent.
   *
   * @param links - Values of Link headers (RFC 8288), in visible ASCII.
   */
  earlyHints?(links: readonly string[]): void;
  /**
   * Has the platform let work go on that may outlast the answer: a refresh, or a render that other requests wait for.
   * Platforms that end a request's work with its answer or its client have it. The promise never rejects.
   */
  waitUntil?(work: Promise<unknown>): void;
  /**
   * @internal What the core has read of the request. An adapter passes it on to the exchange that it makes of the same
   * request after user code: the core checks what may have changed, and reads the rest only once.
   */
  parsedRequest?: object | undefined;
  /**
   * @internal The client's request, if this one is for a page that a feature completes. Other answers are made for the
   * client's request.
   */
  readonly client?: Exchange | undefined;
  /** Every request header as received, without pseudo-headers. Read only for a render. */
  headers(): Iterable<readonly [name: string, value: string]>;
}

/**
 * A complete answer: status, a flat list of names and values, and the bytes. Answers of pages held in memory
 * are prebuilt and shared between requests: never change one.
 */
export interface Answer {
  readonly status: number;
  /** `[name, value, name, value, ...]`, as node:http's `writeHead` accepts it. */
  readonly headers: readonly string[];
  /** The content, always a Buffer; null for HEAD, 304 and other answers without content. */
  readonly body: Uint8Array | null;
  /** The failure behind this answer, for frameworks with their own error handling. */
  readonly error?: SsrError;
}

/** An answer whose content comes in pieces while it is sent: a file that is read, or a page that is still completed. */
export interface StreamedAnswer {
  readonly status: number;
  /** As in {@link Answer.headers}. */
  readonly headers: readonly string[];
  /** The adapter reads it to its end, or closes it when the client disconnects. */
  readonly content: StreamedContent;
  /**
   * Whether it has data of one client. The adapter then removes the headers for caches that middleware has set: see
   * `isForCaches` and `headersForOne`.
   */
  readonly isPersonal?: true;
  /**
   * @internal Whether a cache in front puts the data in: it alone may keep the answer, as Surrogate-Control says. Only with
   * `isPersonal`.
   */
  readonly isForIncluder?: true;
}

/** Content that comes in pieces. */
export interface StreamedContent {
  /** Of the file that it is a part of; undefined for content of another source. */
  readonly path?: string;
  /** Offset of the first byte in the file. */
  readonly first?: number;
  /** Undefined if it is not known yet: the answer then has no Content-Length. */
  readonly lengthBytes?: number;
  /** The same content, where a platform gives it as a stream: in place of `read` and `close`. */
  readonly stream?: ReadableStream<Uint8Array>;
  /** The same content, if all `lengthBytes` are there already: in place of `read` and `close`. Never change the bytes. */
  readonly pieces?: readonly Uint8Array[];
  /**
   * The next bytes, which are sent at once. Call it again only after it has resolved. At most `lengthBytes` in total.
   *
   * @returns undefined at the end, and after `close`.
   * @throws Error when a file cannot be read or is not the one whose length was sent: the adapter must then
   * end the connection, since the client waits for bytes that do not exist.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the file descriptor, or aborts what makes the content. May be called at any time, and repeatedly. */
  close(): Promise<void>;
}
