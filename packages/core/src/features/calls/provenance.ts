import { isShareable, mayStoreCall } from '../../pages/policy/may-store.ts';
import type { Provenance } from '../../render/provenance.ts';
import type { ResponseHead } from '../../render/sendable-response.ts';
import type { CallRequest } from './call-request.ts';
import { hasUnnamedAuthorization, hasUnnamedCookies } from './cache/call-key.ts';
import { allTags } from './cache/call-tags.ts';

/**
 * What the response to one request of a call depends on.
 *
 * @param sinceMs - When the request was sent (`performance.now()`): RFC 9111 section 4.2.3 counts the delay of the
 * response.
 */
export function provenanceOf(call: CallRequest, head: ResponseHead, sinceMs: number): Provenance {
  return {
    tags: allTags(call.tags, head.headers),
    freshUntilMs: freshUntil(call, head, sinceMs),
    isPersonal: call.isPersonal,
    isShareable: isShareable(head.headers),
  };
}

function freshUntil(call: CallRequest, head: ResponseHead, sinceMs: number): number {
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  if (!isRead || hasUnnamedCookies(call)) return 0;
  const lifetime = mayStoreCall(head, call.rule.cache, hasUnnamedAuthorization(call), Date.now());
  if (typeof lifetime === 'string') return 0;
  return sinceMs + (lifetime.freshSeconds - lifetime.initialAgeSeconds) * 1000;
}
