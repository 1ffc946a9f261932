import { platform } from '#platform';
import type { DocumentNonce } from '../../document-nonce.ts';
import type { PageTrait, RenderedPage } from '../traits/page-trait.ts';

/** The attribute, and Angular's `ngCspNonce`, in all quoting styles of HTML. */
const ATTRIBUTE = /[\s"'/](?:ngcsp)?nonce\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const SOURCE = /'nonce-([^']*)'/gi;
/** Headers with a Content-Security-Policy. */
export const POLICIES: readonly string[] = [
  'content-security-policy',
  'content-security-policy-report-only',
];
/** The most characters of a tag in front of its nonce attribute. */
const MOST_OF_TAG = 1000;

/**
 * Whether a page or its policy carries a nonce that is neither the secret nor the placeholder: it was
 * made for one answer.
 */
export function hasNonce(
  { response, body }: RenderedPage,
  own: DocumentNonce | undefined,
): boolean {
  const isForeign = (nonce: string): boolean => nonce !== own?.secret && nonce !== own?.placeholder;
  for (const nonce of noncesIn(platform.toByteText(body))) if (isForeign(nonce)) return true;
  const policies = POLICIES.map((name) => response.headers.get(name) ?? '').join();
  return [...policies.matchAll(SOURCE)].some(([, nonce]) => isForeign(nonce!));
}

/** Pages of a server that fills no nonces: one with a nonce was made for one answer. */
export const WITHOUT_NONCE: PageTrait = {
  refuse: (rendered) => (hasNonce(rendered, undefined) ? 'nonce' : undefined),
  fromStored: (page) => (page.nonceAt === undefined ? page : undefined),
};

/** The nonces in the attributes of a page's tags. */
export function* noncesIn(text: string): Generator<string> {
  for (const { 1: double, 2: single, 3: bare, index } of text.matchAll(ATTRIBUTE)) {
    // Without quotes it may be a variable of this name in a script.
    if (bare !== undefined && !isInTag(text.slice(Math.max(0, index - MOST_OF_TAG), index)))
      continue;
    yield (double ?? single ?? bare)!;
  }
}

function isInTag(before: string): boolean {
  const open = before.lastIndexOf('<');
  return open > before.lastIndexOf('>') && /^<[a-z]/i.test(before.slice(open, open + 2));
}
