import type { Exchange } from '../../exchange.ts';
import { isProxyHeader, type ProxyHeaderPredicate } from '../../host/proxy-headers.ts';
import type { LanguageMatcher } from './languages.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import type { ParsedRequest } from '../parsed-request.ts';

/**
 * Makes keys of parsed parts. Parts are joined by line feeds, which no part can contain, in an order
 * that depends on the path alone: different parts never make the same key.
 */
export class KeyMaker {
  readonly #languages: LanguageMatcher | undefined;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #hasPrefix: boolean;

  constructor(languages: LanguageMatcher | undefined, isTrusted: ProxyHeaderPredicate) {
    this.#languages = languages;
    this.#isTrusted = isTrusted;
    this.#hasPrefix = isTrusted('x-forwarded-prefix');
  }

  /** The key that all requests for this page with the same declared variants share. */
  primaryKey(parsed: ParsedRequest): string {
    const { page, origin, exchange } = parsed;
    // The look-up would have to hash a new string, which takes longer than the rest of it.
    if (page.known?.origin === origin) return page.known.key;
    // Angular puts a trusted prefix into the Location of redirects.
    const prefix = this.#hasPrefix ? this.valueOf(exchange, 'x-forwarded-prefix') : undefined;
    const site = prefix === undefined ? origin : `${origin} ${prefix}`;
    const key = `${site}\n${page.path}${page.query}`;
    const vary = page.rule?.vary;
    if (!page.isShared || vary === undefined) {
      // Headers may change before a render: a key with headers is made again, of those that the engine gets.
      if (!this.#hasPrefix) page.known = { origin, key };
      return key;
    }
    let variants = '';
    for (const name of vary.cookies ?? []) variants += toPart(cookieOf(exchange, name));
    for (const name of vary.headers ?? []) variants += toPart(this.valueOf(exchange, name));
    return key + variants;
  }

  /** The key of one variant of a page whose Vary names these headers (RFC 9111 section 4.1). */
  variantKey(primaryKey: string, names: readonly string[], exchange: Exchange): string {
    let key = `${primaryKey}\n`;
    for (const name of names) key += `\n${name}${toPart(this.valueOf(exchange, name))}`;
    return key;
  }

  /**
   * A request header as keys use it: Accept-Language is the application's matching language, and an
   * untrusted proxy header is absent.
   */
  valueOf(exchange: Exchange, name: string): string | undefined {
    if (isProxyHeader(name) && !this.#isTrusted(name)) return undefined;
    const value = exchange.header(name);
    if (name !== 'accept-language' || this.#languages === undefined) return value && trimOws(value);
    return this.#languages.match(value);
  }
}

/** An absent header differs from an empty one. */
function toPart(value: string | undefined): string {
  return value === undefined ? '\n-' : `\n=${value}`;
}

/** The value of the first cookie of a name, as received. */
export function cookieOf(exchange: Exchange, name: string): string | undefined {
  for (const pair of exchange.header('cookie')?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && trimOws(pair.slice(0, equals)) === name)
      return trimOws(pair.slice(equals + 1));
  }
  return undefined;
}
