import type { RouteRequest } from '@ng-ssr/core/adapter';

/** The Request of a call to the server's own routes. */
export function toRequest({ method, url, headers, body, signal }: RouteRequest): Request {
  const isStream = body instanceof ReadableStream;
  const init = { method, headers, body, signal, ...(isStream && { duplex: 'half' }) };
  return new Request(url, init as RequestInit);
}
