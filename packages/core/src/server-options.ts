import type { Answer, Exchange } from './exchange.ts';

/** Whether a request asks about the server as a whole: `OPTIONS *` (RFC 9110 section 9.3.7). */
export function asksAboutServer({ method, target }: Exchange): boolean {
  return target === '*' && method === 'OPTIONS';
}

/** The answer to it: the methods of pages. What routes of the user's take besides is theirs to say. */
export const SERVER_OPTIONS: Answer = {
  status: 204,
  headers: ['Allow', 'GET, HEAD, OPTIONS', 'Cache-Status', 'ng-ssr; detail=server-options'],
  body: null,
};
