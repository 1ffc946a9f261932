import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import { NonceFiller } from './nonce-filler.ts';
import { type NonceOptions, resolveNonceOptions } from './nonce-options.ts';

/**
 * Gives each response its own Content-Security-Policy nonce, so that pages with a nonce can be cached. Build the
 * application with the placeholder as its nonce: `<app-root ngCspNonce="...">`.
 *
 * @example
 * ```ts
 * features: [withNonce({ placeholder: 'bm9uY2UtaGVyZQ', policy: "script-src 'nonce-bm9uY2UtaGVyZQ'" })]
 * ```
 */
export function withNonce(options: NonceOptions): Feature {
  return perServer({ name: 'nonce', isForNode: true }, () => {
    const filler = new NonceFiller(resolveNonceOptions(options));
    return { trait: filler, traitStage: 'content', document: { nonce: filler.document } };
  });
}
