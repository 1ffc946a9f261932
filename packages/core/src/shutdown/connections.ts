/**
 * How long a connection must be idle before it is closed, in milliseconds. A client that uses its connection
 * sends its next request within that time, and gets `Connection: close` in the answer instead of losing a
 * request that crosses with the close.
 */
export const QUIET_MS = 500;

/** The connections of a server, for its shutdown. */
export interface Connections {
  /** From now on answers carry `Connection: close` (RFC 9112 section 9.6). */
  announceClose(): void;
  /** Stops accepting connections. */
  refuse(): Promise<void>;
  /**
   * Closes the connections that have been idle for {@link QUIET_MS}. Those that were upgraded to another
   * protocol count as idle once new ones are refused. Does nothing if the server closes them by itself.
   *
   * @returns in how many milliseconds the next one may be closed.
   */
  closeIdle(): number;
  /** Resolves when no connection is open. */
  whenEmpty(): Promise<void>;
  /** Destroys all connections, and returns how many had a request in flight, if that is known. */
  cut(): number | undefined | Promise<number | undefined>;
}
