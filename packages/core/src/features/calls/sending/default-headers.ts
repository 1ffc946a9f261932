import type { CallRequest } from '../call-request.ts';

/** Headers of a request that has them itself, with which it must not be answered by a cache. */
const CONDITIONS = ['modified-since', 'none-match', 'unmodified-since', 'match', 'range'];

type Referring = Pick<CallRequest, 'url' | 'referrer' | 'referrerPolicy'>;

/**
 * Adds the headers that the runtime's `fetch` adds to each request (Fetch Standard, "HTTP-network-or-cache fetch"), so
 * that routes get in process what they would get over the network.
 */
export function addDefaultHeaders(
  headers: Headers,
  call: Referring & Pick<CallRequest, 'cache' | 'mode'>,
): void {
  const { cache, mode } = call;
  const add = (name: string, value: string): void => {
    if (!headers.has(name)) headers.set(name, value);
  };
  add('accept', '*/*');
  add('accept-language', '*');
  add('user-agent', 'node');
  headers.set('sec-fetch-mode', mode);
  const referer = refererOf(call);
  if (referer !== undefined) headers.append('referer', referer);
  const isConditional = CONDITIONS.some((name) => headers.has(`if-${name}`));
  if (cache === 'no-cache') add('cache-control', 'max-age=0');
  else if (cache === 'no-store' || cache === 'reload' || (cache === 'default' && isConditional)) {
    add('pragma', 'no-cache');
    add('cache-control', 'no-cache');
  }
}

/** The Referer of a call (Referrer Policy section 8.3). */
function refererOf({ url, referrer, referrerPolicy }: Referring): string | undefined {
  if (referrer === undefined) return undefined;
  const from = new URL(referrer);
  const whole = from.origin + from.pathname + from.search;
  const origin = `${from.origin}/`;
  const isSame = from.origin === url.origin;
  const isDowngrade = from.protocol === 'https:' && url.protocol === 'http:';
  switch (referrerPolicy) {
    case 'no-referrer':
      return undefined;
    case 'origin':
      return origin;
    case 'unsafe-url':
      return whole;
    case 'same-origin':
      return isSame ? whole : undefined;
    case 'origin-when-cross-origin':
      return isSame ? whole : origin;
    case 'strict-origin':
      return isDowngrade ? undefined : origin;
    case 'no-referrer-when-downgrade':
      return isDowngrade ? undefined : whole;
    default:
      return isSame ? whole : isDowngrade ? undefined : origin;
  }
}
