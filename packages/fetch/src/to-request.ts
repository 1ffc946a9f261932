import type { RouteRequest } from '@ng-ssr/core/adapter';
import { rememberConnection } from './local-port.ts';

/** The Request of a call to the server's own routes. */
export function toRequest({ method, url, headers, body, signal }: RouteRequest): Request {
  const isStream = body instanceof ReadableStream;
  const init = { method, headers, body, signal, ...(isStream && { duplex: 'half' }) };
  const request = new Request(url, init as RequestInit);
  rememberConnection(request, { port: Number(url.port) });
  return request;
}
