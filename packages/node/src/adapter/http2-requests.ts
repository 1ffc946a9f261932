import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { http } from './node-http.ts';

/** Requests of node:http2 that have the prototype of another class. */
const remembered = new WeakSet<object>();

/**
 * Whether a request is one of node:http2's compatibility API. The version does not tell: clients of node:http may
 * send `GET / HTTP/2.0`. Loads node:http2 only for requests that may be its own.
 */
export function isOfHttp2(
  request: IncomingMessage | Http2ServerRequest,
): request is Http2ServerRequest {
  if (request instanceof http.IncomingMessage) return remembered.has(request);
  // Requests of serverless platforms may belong to any class.
  if (!((request as Partial<Http2ServerRequest>).httpVersionMajor! >= 2)) return false;
  return request instanceof process.getBuiltinModule('node:http2').Http2ServerRequest;
}

/** Keeps {@link isOfHttp2} true for a request whose prototype a framework is about to replace. */
export function rememberHttp2(request: Http2ServerRequest): void {
  remembered.add(request);
}
