import type { Answer, Exchange } from '../exchange.ts';

/** Whether a request asks about the server as a whole: `OPTIONS *` (RFC 9110 section 9.3.7). */
export function asksAboutServer({ method, target }: Pick<Exchange, 'method' | 'target'>): boolean {
  return target === '*' && method === 'OPTIONS';
}

/** The answer to it: the methods of pages. Methods of users' routes are not known here. */
export const SERVER_OPTIONS: Answer = {
  status: 204,
  headers: ['Allow', 'GET, HEAD, OPTIONS', 'Cache-Status', 'ng-ssr; detail=server-options'],
  body: null,
};
