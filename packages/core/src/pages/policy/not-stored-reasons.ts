import type { Reason } from './may-store.ts';

/** Why a page was not stored, for people: the reasons of Cache-Status in words. */
const SENTENCES: Readonly<Record<Reason | 'earlier-status', string>> = {
  authorization:
    'the request had Authorization, and the page does not say that it is for everybody (Cache-Control: public)',
  calls: 'one of its calls failed, may not be stored, or was stale',
  'call-loop': 'the page waits for itself through its calls',
  encoded: 'the page has a Content-Encoding of its own',
  'earlier-status': 'middleware had set another status before the page',
  errors: 'the render had errors',
  'no-cache': 'the page has Cache-Control: no-cache',
  'no-freshness':
    'the page does not say how long it is fresh: no rule has sMaxAge, and its Cache-Control no s-maxage or max-age',
  'no-store': 'the page has Cache-Control: no-store',
  nonce: 'the page has a nonce, and the server has not withNonce()',
  'personal-call':
    'a call of the page was made with the cookies or the Authorization of one client',
  private: 'the page has Cache-Control: private',
  range: 'the page is a part of its content (Content-Range)',
  'request-no-store': 'the request asked for that (Cache-Control: no-store)',
  rule: 'its route rule has cache: false, or the path is another name of its route',
  'set-cookie': 'the page sets a cookie',
  status: 'pages with its status are not stored',
  'too-large': 'the page is larger than cache.maxBytes',
  'vary-star': 'the page varies by more than its headers say (Vary: *)',
  'vary-too-many': 'the page varies by too many headers',
};

/** @param reason - As in Cache-Status; one that is not known is said as it is. */
export function describeNotStored(reason: string): string {
  return Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason as Reason] : reason;
}
