import type { Edge } from '@ng-ssr/core';
import { withDefault } from '@ng-ssr/core/adapter';
import { inBatches, joinTags, toCacheControl } from './edge-headers.ts';
import { type EdgeOptions, missingOptions, id, resolveEdge, secret, url } from './edge-options.ts';
import { sendPurge, startDeadline } from './send-purge.ts';

/** Options of `fastlyEdge()`. */
export interface FastlyEdgeOptions extends EdgeOptions {
  /** Id of the service. */
  readonly serviceId: string | undefined;
  /** An API token with the scope `purge_select`. */
  readonly token: string | undefined;
  /** URL of the API. Default: `https://api.fastly.com`. */
  readonly apiUrl?: string | undefined;
}

/** The limit of Surrogate-Key. */
const MOST_HEADER_BYTES = 16_384;
/** The keys of one request. */
const MOST_KEYS = 256;

/**
 * Fastly. A soft purge marks pages as stale.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 * @see https://www.fastly.com/documentation/reference/api/purging/
 * @example
 * ```ts
 * features: [withEdge(fastlyEdge({ serviceId: 'SU1Z0isxPaozGVKXdv0eY', token: process.env['FASTLY_TOKEN'] }))],
 * ```
 */
export function fastlyEdge(options: FastlyEdgeOptions): Edge {
  const resolved = resolveEdge('fastlyEdge', options, {
    serviceId: id,
    token: secret,
    apiUrl: withDefault(url, 'https://api.fastly.com'),
  });
  const { serviceId, token, apiUrl, settleMs } = resolved;
  const purgeUrl = `${apiUrl}/service/${serviceId}/purge`;
  const headers = {
    'fastly-key': token ?? '',
    accept: 'application/json',
    'content-type': 'application/json',
  };
  return {
    name: 'Fastly',
    settleMs,
    missingOptions: missingOptions('fastlyEdge', { serviceId, token }),
    noStoreHeaders: ['surrogate-control', 'no-store, max-age=0'],
    headersOf(page) {
      const keys = joinTags(page.tags, ' ', MOST_HEADER_BYTES);
      return keys === undefined
        ? undefined
        : ['surrogate-control', toCacheControl(page), 'surrogate-key', keys];
    },
    async purge(tags, isSoft) {
      const soft = isSoft ? { 'fastly-soft-purge': '1' } : {};
      const deadline = startDeadline(resolved);
      for (const batch of inBatches(tags, MOST_KEYS)) {
        const body = JSON.stringify({ surrogate_keys: batch });
        await sendPurge(
          { url: purgeUrl, method: 'POST', headers: { ...headers, ...soft }, body },
          deadline,
        );
      }
    },
  };
}
