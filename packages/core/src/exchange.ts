import type { FileContent } from './built/file-content.ts';
import type { SsrError } from './errors.ts';

/**
 * One request as plain data: all the core ever sees of a framework's request.
 * An adapter creates it per request, so it should cost next to nothing to make.
 */
export interface Exchange {
  /** The method as received, upper case. */
  readonly method: string;
  /** The request target exactly as it stood on the request line (RFC 9112 section 3.2). */
  readonly target: string;
  /**
   * The target below a mount of the framework's: built files and probes are found by it, pages by the
   * whole. Default: `target`.
   */
  readonly targetBelowMount?: string | undefined;
  /** Whether this server's own connection is encrypted; what a proxy says comes from headers. */
  readonly encrypted: boolean;
  /** The status an earlier middleware has chosen for this response; 200 when none did. */
  readonly status: number;
  /**
   * The value of a request field, several lines joined by `, ` (RFC 9110 section 5.3), so that a
   * repeated Host is seen as one malformed value. Under HTTP/2 `host` falls back to `:authority`.
   *
   * @param name - The field name in lower case.
   */
  header(name: string): string | undefined;
  /**
   * The content of the request; read by the purge endpoint only.
   *
   * @returns undefined when it is longer than `maxBytes`.
   */
  content(maxBytes: number): Promise<Uint8Array | undefined>;
  /**
   * Calls back, once at most, when the client leaves before its answer. A queued render leaves the queue
   * with its last client. Called on a render only. An exchange without it never reports a client's leaving.
   *
   * @returns Ceases to listen.
   */
  onDisconnect?(listener: () => void): () => void;
  /** Every request field as received, without pseudo-header fields; read on a render only. */
  headers(): Iterable<readonly [name: string, value: string]>;
}

/**
 * A complete answer: status, a flat list of names and values, and the bytes.
 * Answers of held pages are prebuilt and shared between requests: never change one.
 */
export interface Answer {
  readonly status: number;
  /** `[name, value, name, value, ...]`, what node:http's `writeHead` takes as it is. */
  readonly headers: readonly string[];
  /** The content, a Buffer wherever it comes from; null for HEAD, 304 and others that have none. */
  readonly body: Uint8Array | null;
  /** What a 500 of ours is about, for frameworks with error handling of their own. */
  readonly error?: SsrError;
}

/** An answer whose content is read from a file while it is sent. */
export interface FileAnswer {
  readonly status: number;
  /** As in {@link Answer.headers}. */
  readonly headers: readonly string[];
  /** The adapter reads it to its end, or closes it when the client leaves. */
  readonly file: FileContent;
}
