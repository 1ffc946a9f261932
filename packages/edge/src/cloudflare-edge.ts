import type { Edge } from '@ng-ssr/core';
import { withDefault } from '@ng-ssr/core/adapter';
import { inBatches, joinTags, toCacheControl } from './edge-headers.ts';
import { type EdgeOptions, missingOptions, id, resolveEdge, secret, url } from './edge-options.ts';
import { sendPurge, startDeadline } from './send-purge.ts';

/** Options of `cloudflareEdge()`. */
export interface CloudflareEdgeOptions extends EdgeOptions {
  /** Id of the zone. */
  readonly zoneId: string | undefined;
  /** An API token with the permission Zone, Cache Purge. */
  readonly token: string | undefined;
  /** URL of the API. Default: `https://api.cloudflare.com/client/v4`. */
  readonly apiUrl?: string | undefined;
}

/** The limit of Cache-Tag: 16 KB, about 1000 tags. */
const MOST_HEADER_BYTES = 16_000;
const MOST_HEADER_TAGS = 1000;
/** The tags of one request, in all plans. */
const MOST_TAGS = 100;

/**
 * Cloudflare, which has no soft purge: every purge removes pages at once. It keeps no page that varies by a request
 * header, since it does not read Vary.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 * @see https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
 * @example
 * ```ts
 * features: [withEdge(cloudflareEdge({ zoneId: '023e105f4ecef8ad9ca31a8372d0c353', token: process.env['CF_TOKEN'] }))],
 * ```
 */
export function cloudflareEdge(options: CloudflareEdgeOptions): Edge {
  const resolved = resolveEdge('cloudflareEdge', options, {
    zoneId: id,
    token: secret,
    apiUrl: withDefault(url, 'https://api.cloudflare.com/client/v4'),
  });
  const { zoneId, token, apiUrl, settleMs } = resolved;
  const purgeUrl = `${apiUrl}/zones/${zoneId}/purge_cache`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    name: 'Cloudflare',
    settleMs,
    missingOptions: missingOptions('cloudflareEdge', { zoneId, token }),
    noStoreHeaders: ['cloudflare-cdn-cache-control', 'no-store'],
    headersOf(page) {
      if (page.vary.length > 0 || page.tags.length > MOST_HEADER_TAGS) return undefined;
      const tags = joinTags(page.tags, ',', MOST_HEADER_BYTES);
      return tags === undefined
        ? undefined
        : ['cloudflare-cdn-cache-control', toCacheControl(page), 'cache-tag', tags];
    },
    async purge(tags) {
      const deadline = startDeadline(resolved);
      for (const batch of inBatches(tags, MOST_TAGS)) {
        const body = JSON.stringify({ tags: batch });
        await sendPurge({ url: purgeUrl, method: 'POST', headers, body }, deadline, isSuccess);
      }
    },
  };
}

/** A 200 alone says nothing: the envelope of the API does. */
function isSuccess(text: string): boolean {
  try {
    return (JSON.parse(text) as { success?: unknown } | null)?.success === true;
  } catch {
    return false;
  }
}
