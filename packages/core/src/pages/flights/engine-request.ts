import type { Exchange } from '../../exchange.ts';
import type { ProxyHeaderPredicate } from '../../host/proxy-headers.ts';
import { guard } from '../../render/guarded-request.ts';
import { toRequest } from '../../render/to-request.ts';
import type { PageTarget } from '../key/page-target.ts';
import { cookieOf, type KeyMaker } from '../key/cache-key.ts';
import type { LanguageMatcher } from '../key/languages.ts';
import type { ParsedRequest } from '../parsed-request.ts';

/** Makes the requests from which engines render pages that may be stored. */
export class EngineRequests {
  readonly #keys: KeyMaker;
  readonly #languages: LanguageMatcher | undefined;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #isDevelopment: boolean;

  /**
   * @param languages - Match the Accept-Language that the engine gets; undefined for the header as received.
   * @param isDevelopment - As in {@link toSharedRequest}.
   */
  constructor(
    keys: KeyMaker,
    languages: LanguageMatcher | undefined,
    isTrusted: ProxyHeaderPredicate,
    isDevelopment: boolean,
  ) {
    this.#keys = keys;
    this.#languages = languages;
    this.#isTrusted = isTrusted;
    this.#isDevelopment = isDevelopment;
  }

  /** For a shared route the engine sees only what the key covers, and no request context. */
  of(
    { exchange, origin }: ParsedRequest,
    page: PageTarget,
    requestContext: unknown,
  ): { request: Request; requestContext: unknown } {
    if (page.isShared) {
      const request = toSharedRequest(exchange, origin, page, this.#keys, this.#isDevelopment);
      return { request, requestContext: null };
    }
    const url = origin + page.path + page.query;
    const language = this.#languages?.match(exchange.header('accept-language'));
    return { request: toRequest(exchange, url, this.#isTrusted, language), requestContext };
  }
}

/** Headers that identify a user. */
const PERSONAL = ['authorization', 'cookie'];

/**
 * The request from which an engine renders a route that a rule declares shared: its URL and headers are
 * those of the key and no others, so that the page cannot contain personal data.
 *
 * @param isDevelopment - Whether a page that reads a cookie or Authorization not in the rule's `vary`
 * fails at once with `NG_SSR_REQUEST_NOT_SHARED`. In production it finds no value.
 */
function toSharedRequest(
  exchange: Exchange,
  origin: string,
  page: PageTarget,
  keys: KeyMaker,
  isDevelopment: boolean,
): Request {
  const { cookies = [], headers: names = [] } = page.rule?.vary ?? {};
  const headers = new Headers();
  headers.set('host', origin.slice(origin.indexOf('://') + 3));
  headers.set('accept', 'text/html');
  // X-Forwarded-Prefix is part of the key if trusted: Angular puts it into the Location of redirects.
  for (const name of ['x-forwarded-prefix', ...names]) {
    const value = keys.valueOf(exchange, name);
    if (value !== undefined) headers.set(name, value);
  }
  const pairs = cookies.flatMap((name) => {
    const value = cookieOf(exchange, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
  const request = new Request(origin + page.path + page.query, { headers });
  if (!isDevelopment) return request;
  const declared = new Set([...names, ...(cookies.length > 0 ? ['cookie'] : [])]);
  return guard(
    request,
    PERSONAL.filter((name) => !declared.has(name)),
  );
}
