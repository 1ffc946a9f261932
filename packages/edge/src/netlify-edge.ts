import type { Edge } from '@ng-ssr/core';
import { withDefault } from '@ng-ssr/core/adapter';
import { inBatches, joinTags, toCacheControl } from './edge-headers.ts';
import { type EdgeOptions, missingOptions, id, resolveEdge, secret, url } from './edge-options.ts';
import { sendPurge, startDeadline } from './send-purge.ts';

/** Options of `netlifyEdge()`. */
export interface NetlifyEdgeOptions extends EdgeOptions {
  /** Id of the site. */
  readonly siteId: string | undefined;
  /** A personal access token, or `NETLIFY_PURGE_API_TOKEN` in a function. */
  readonly token: string | undefined;
  /** URL of the API. Default: `https://api.netlify.com`. */
  readonly apiUrl?: string | undefined;
}

const MOST_HEADER_BYTES = 16_000;
const MOST_HEADER_TAGS = 500;
const MOST_TAGS = 100;

/**
 * Netlify, in its durable cache. It has no soft purge: every purge removes pages at once.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 * @see https://docs.netlify.com/build/caching/caching-overview/
 * @example
 * ```ts
 * features: [withEdge(netlifyEdge({ siteId: process.env['SITE_ID'], token: process.env['NETLIFY_TOKEN'] }))],
 * ```
 */
export function netlifyEdge(options: NetlifyEdgeOptions): Edge {
  const resolved = resolveEdge('netlifyEdge', options, {
    siteId: id,
    token: secret,
    apiUrl: withDefault(url, 'https://api.netlify.com'),
  });
  const { siteId, token, apiUrl, settleMs } = resolved;
  const purgeUrl = `${apiUrl}/api/v1/purge`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    name: 'Netlify',
    settleMs,
    missingOptions: missingOptions('netlifyEdge', { siteId, token }),
    noStoreHeaders: ['netlify-cdn-cache-control', 'no-store'],
    headersOf(page) {
      if (page.tags.length > MOST_HEADER_TAGS) return undefined;
      const tags = joinTags(page.tags, ',', MOST_HEADER_BYTES);
      if (tags === undefined) return undefined;
      const control = `public, durable, ${toCacheControl(page)}`;
      // Answers that come through a proxy are keyed by the path alone otherwise; Vary is read as it is.
      const vary = ['netlify-vary', 'query'];
      return ['netlify-cdn-cache-control', control, 'netlify-cache-tag', tags, ...vary];
    },
    async purge(tags) {
      const deadline = startDeadline(resolved);
      for (const batch of inBatches(tags, MOST_TAGS)) {
        const body = JSON.stringify({ site_id: siteId, cache_tags: batch });
        await sendPurge({ url: purgeUrl, method: 'POST', headers, body }, deadline);
      }
    },
  };
}
