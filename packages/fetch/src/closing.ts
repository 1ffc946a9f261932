import type { EarlierResponse } from './to-response.ts';

/** On Node the server sets `Connection: close`: it knows whether more requests of the connection wait. */
const isOursToSay = 'Bun' in globalThis || 'Deno' in globalThis;

/** Whether an answer has to carry `Connection: close` (RFC 9112 section 9.6). */
export function isClosing(handler: { readonly isDraining?: boolean }): boolean {
  return isOursToSay && handler.isDraining === true;
}

/** Adds `Connection: close` to the earlier headers. */
export function closing(earlier: EarlierResponse | undefined): EarlierResponse {
  const headers = new Headers(earlier?.headers);
  headers.set('Connection', 'close');
  return { status: earlier?.status, headers };
}
