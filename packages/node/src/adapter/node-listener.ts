import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A framework's listener. Requests of node:http2's compatibility API have the members of node:http's, and
 * frameworks name only the types of these.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;
