/**
 * How long a connection must be quiet before it is closed, in milliseconds. A client that is using
 * its connection sends its next request within that time, and hears `Connection: close` in the answer
 * instead of losing a request that crosses with the close.
 */
export const QUIET_MS = 500;

/** The connections of a server, as far as its end needs them. */
export interface Connections {
  /** From now on answers carry `Connection: close` (RFC 9112 section 9.6). */
  announceClose(): void;
  /** Takes no new ones. */
  refuse(): Promise<void>;
  /**
   * Closes those that have been idle for {@link QUIET_MS}. Those that were upgraded to another protocol
   * are idle once new ones are refused. Does nothing where the server closes them by itself.
   *
   * @returns in how many milliseconds the next may be closed.
   */
  closeIdle(): number;
  /** Resolves when none is open. */
  whenEmpty(): Promise<void>;
  /** Cuts all; says how many of them had a request under way, where that is known. */
  cut(): number | undefined;
}
