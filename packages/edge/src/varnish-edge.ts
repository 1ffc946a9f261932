import type { Edge } from '@ng-ssr/core';
import { check, type Option } from '@ng-ssr/core/adapter';
import { inBatches, joinTags, toCacheControl } from './edge-headers.ts';
import { type EdgeOptions, resolveEdge, secret, url } from './edge-options.ts';
import { sendPurge, startDeadline } from './send-purge.ts';

/** Options of `varnishEdge()`. */
export interface VarnishEdgeOptions extends EdgeOptions {
  /** URL of Varnish, such as `http://127.0.0.1:6081`. For separate caches a list: all must confirm a purge. */
  readonly url: string | readonly string[];
  /** The secret that the VCL of ng-ssr checks (`Authorization: Bearer <token>`). Default: none. */
  readonly token?: string | undefined;
}

/** A line of a response that is longer (`http_resp_hdr_len`, 8 KiB) makes a 503 of it. */
const MOST_HEADER_BYTES = 7900;
/** The same of requests (`http_req_hdr_len`). */
const MOST_PURGE_BYTES = 4000;
const MOST_PURGES = 200;

const urls: Option<readonly string[]> = (name, given) => {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  check(name, '[]', list.length > 0, 'at least one URL');
  return list.map((one) => `${url(name, one)}/`);
};

/**
 * Varnish with the VCL of ng-ssr (docs/deploy/varnish.vcl) and its module xkey. A soft purge leaves pages to grace.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * features: [withEdge(varnishEdge({ url: 'http://127.0.0.1:6081', token: process.env['VARNISH_PURGE_TOKEN'] }))],
 * ```
 */
export function varnishEdge(options: VarnishEdgeOptions): Edge {
  const resolved = resolveEdge('varnishEdge', options, { url: urls, token: secret });
  const { url: all, token, settleMs } = resolved;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    name: 'Varnish',
    settleMs,
    noStoreHeaders: ['cdn-cache-control', 'no-store'],
    headersOf(page) {
      const xkey = joinTags(page.tags, ' ', MOST_HEADER_BYTES);
      return xkey === undefined
        ? undefined
        : ['cdn-cache-control', toCacheControl(page), 'xkey', xkey];
    },
    async purge(tags, isSoft) {
      const header = isSoft ? 'xkey-softpurge' : 'xkey-purge';
      const deadline = startDeadline(resolved);
      for (const batch of inBatches(tags, MOST_PURGES, MOST_PURGE_BYTES)) {
        const headers = { ...authorization, [header]: batch.join(' ') };
        await Promise.all(
          all.map((one) => sendPurge({ url: one, method: 'PURGE', headers }, deadline)),
        );
      }
    },
  };
}
