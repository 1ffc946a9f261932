import type { Reason } from './may-store.ts';

/** Why a page was not stored, for people: the reasons of Cache-Status in words. */
const SENTENCES: Readonly<Record<Reason | 'earlier-status', string>> = {
  authorization: 'the request had Authorization, and the page does not have Cache-Control: public',
  calls: 'one of its API calls failed, was stale, or may not be stored',
  'call-loop': 'the page waits for itself through its API calls',
  encoded: 'the page already has a Content-Encoding',
  'earlier-status': 'middleware set another status before the page',
  errors: 'the render had errors',
  'no-cache': 'the page has Cache-Control: no-cache',
  'no-freshness':
    'the page has no lifetime: no rule has sMaxAge, and its Cache-Control has no s-maxage or max-age',
  'no-store': 'the page has Cache-Control: no-store',
  nonce: 'the page has a nonce, and withNonce() is not installed',
  'personal-call': 'an API call of the page had the cookies or the Authorization of one client',
  private: 'the page has Cache-Control: private',
  range: 'the page is only a range of its content (Content-Range)',
  'request-no-store': 'the request has Cache-Control: no-store, or needless escapes in its path',
  rule: 'its route rule has cache: false, or the path is another spelling of its route',
  'set-cookie': 'the page sets a cookie',
  status: 'pages with its status are not cached',
  'too-large': 'the page is larger than cache.maxBytes',
  'vary-star': 'the page has Vary: *',
  'vary-too-many': 'the page varies by too many headers',
};

/** @param reason - As in Cache-Status; one that is not known is said as it is. */
export function describeNotStored(reason: string): string {
  return Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason as Reason] : reason;
}
