import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import { NonceFiller } from './nonce-filler.ts';
import { type NonceOptions, resolveNonceOptions } from './nonce-options.ts';

/**
 * For pages whose scripts carry a Content-Security-Policy nonce. The application is built with the placeholder as its
 * nonce (`<app-root ngCspNonce="...">`), and every answer gets its own nonce in that place. Without this feature pages
 * with a nonce are not stored.
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
