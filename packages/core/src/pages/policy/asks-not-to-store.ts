import type { Exchange } from '../../exchange.ts';

/**
 * Whether a request asks that its page is not stored (RFC 9111 section 5.2.1.5). Other request directives would let any
 * client cause renders.
 */
export function asksNotToStore(exchange: Exchange): boolean {
  return exchange.header('cache-control')?.toLowerCase().includes('no-store') === true;
}
