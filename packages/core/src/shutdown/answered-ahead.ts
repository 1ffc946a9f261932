import type { Socket } from 'node:net';

/** How far a connection's bytes have been answered by an adapter, without node:http. */
export interface AnsweredAhead {
  /** Up to which byte, as the socket counts those that it has read (`bytesRead`). */
  bytesRead: number;
  /** When (performance.now()). */
  atMs: number;
}

/**
 * The connections on which an adapter answers requests that node:http never sees. Without this they would look
 * as if a request were on its way.
 */
export const answeredAhead: WeakMap<Socket, AnsweredAhead> = new WeakMap();
