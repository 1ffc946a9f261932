import type { EarlierResponse } from './to-response.ts';

/** Elsewhere the server says so, and it knows whether another request waits behind this one. */
const isOursToSay = 'Bun' in globalThis || 'Deno' in globalThis;

/** Whether an answer has to say that its connection closes behind it (RFC 9112 section 9.6). */
export function isClosing({ isDraining }: { readonly isDraining: boolean }): boolean {
  return isOursToSay && isDraining;
}

/** The fields of such an answer. */
export function closing(earlier: EarlierResponse | undefined): EarlierResponse {
  const headers = new Headers(earlier?.headers);
  headers.set('Connection', 'close');
  return { status: earlier?.status, headers };
}
