import { asksNotToStore, mayStore } from '../../../pages/policy/may-store.ts';
import type { ParsedRequest } from '../../../pages/parsed-request.ts';
import type { StoringForecast } from '../protocol.ts';
import { describeNotStored } from '../../../pages/policy/not-stored-reasons.ts';

/**
 * Whether the page that a request renders would be stored: the verdict on a page with status 200 and no headers.
 *
 * @param isStored - Whether the server stores pages at all.
 */
export function forecastStoring(parsed: ParsedRequest, isStored: boolean): StoringForecast {
  const no = (reason: string): StoringForecast => ({ verdict: 'no', reason });
  if (!isStored)
    return no('This server does not cache pages: cache is false, or there is no build.');
  const { page, exchange } = parsed;
  const { rule } = page;
  // The engine sees no Authorization for a shared route.
  const hasAuthorization = !page.isShared && exchange.header('authorization') !== undefined;
  const plain = { status: 200, headers: new Headers() };
  // What calls the page makes is not known: they add no limit here.
  const verdict = mayStore(plain, rule, hasAuthorization, Date.now(), Number.POSITIVE_INFINITY);
  if (verdict === 'rule') return no(`Not cached: ${describeNotStored(verdict)}.`);
  if (asksNotToStore(exchange, page.path)) {
    return no(`Not cached: ${describeNotStored('request-no-store')}.`);
  }
  if (typeof verdict === 'string') {
    return { verdict: 'page-decides', reason: `The page decides: ${NEEDS[verdict] ?? verdict}.` };
  }
  if (verdict.freshSeconds === Number.POSITIVE_INFINITY) {
    return { verdict: 'yes', reason: 'Cached for as long as all its API calls are fresh.' };
  }
  const until = rule?.freshness === 'calls' ? 'at most ' : '';
  return {
    verdict: 'yes',
    reason: `Cached, and fresh for ${until}${verdict.freshSeconds} s, unless the page forbids it.`,
  };
}

const NEEDS: Readonly<Record<string, string>> = {
  'no-freshness':
    'it is cached if its Cache-Control has s-maxage or max-age, because its route rule has no sMaxAge',
  authorization:
    'the request has Authorization, so it is cached only with Cache-Control: public, s-maxage or must-revalidate',
};
