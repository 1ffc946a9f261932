import { randomBytes } from 'node:crypto';
import type { DocumentNonce } from './document-nonce.ts';
import { serverThread } from './server-thread.ts';

/**
 * Its characters need no escapes in HTML, JSON and a Content-Security-Policy. Passed to render threads and server
 * threads: there is one in a process.
 */
export const PROCESS_SECRET: string =
  serverThread?.nonceSecret ?? randomBytes(24).toString('base64url');

/** The nonce of a server's documents. */
export function documentNonceOf(placeholder: string): DocumentNonce {
  return { placeholder, secret: PROCESS_SECRET };
}
