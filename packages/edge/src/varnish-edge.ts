import type { Edge } from '@ng-ssr/core';
import { check } from '@ng-ssr/core/adapter';
import { inBatches, joinTags, toCacheControl } from './edge-fields.ts';
import { checkSecret, type EdgeOptions, resolveLimits, resolveUrl } from './edge-options.ts';
import { sendPurge, startDeadline } from './send-purge.ts';

/** Where Varnish is. */
export interface VarnishEdgeOptions extends EdgeOptions {
  /** The URL of Varnish: `http://127.0.0.1:6081`. Several, if each is a cache of its own: all must confirm a purge. */
  readonly url: string | readonly string[];
  /** Sent as `Authorization: Bearer <token>`. The VCL of ng-ssr asks for it. Default: none. */
  readonly token?: string | undefined;
}

/** A line of a response that is longer (`http_resp_hdr_len`, 8 KiB) makes a 503 of it. */
const MOST_FIELD_BYTES = 7900;
/** The same of requests (`http_req_hdr_len`). */
const MOST_PURGE_BYTES = 4000;
const MOST_PURGES = 200;

/**
 * Varnish with the VCL of ng-ssr (docs/deploy/varnish.vcl) and its module xkey. A soft purge leaves pages to grace.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * cache: { edge: varnishEdge({ url: 'http://127.0.0.1:6081', token: process.env['VARNISH_PURGE_TOKEN'] }) },
 * ```
 */
export function varnishEdge(options: VarnishEdgeOptions): Edge {
  const limits = resolveLimits('varnishEdge', options, ['url', 'token']);
  const { url, token } = options;
  const list: readonly unknown[] = Array.isArray(url) ? url : [url];
  check('varnishEdge.url', '[]', list.length > 0, 'at least one URL');
  const urls = list.map((one) => `${resolveUrl('varnishEdge.url', one)}/`);
  if (token !== undefined) checkSecret('varnishEdge.token', token);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    name: 'Varnish',
    settleMs: limits.settleMs,
    noStoreFields: ['cdn-cache-control', 'no-store'],
    fieldsOf(page) {
      const xkey = joinTags(page.tags, ' ', MOST_FIELD_BYTES);
      return xkey === undefined
        ? undefined
        : ['cdn-cache-control', toCacheControl(page), 'xkey', xkey];
    },
    async purge(tags, isSoft) {
      const field = isSoft ? 'xkey-softpurge' : 'xkey-purge';
      const deadline = startDeadline(limits);
      for (const batch of inBatches(tags, MOST_PURGES, MOST_PURGE_BYTES)) {
        const headers = { ...authorization, [field]: batch.join(' ') };
        await Promise.all(
          urls.map((url) => sendPurge({ url, method: 'PURGE', headers }, deadline)),
        );
      }
    },
  };
}
