import type { Exchange } from '../exchange.ts';
import { isProxyHeader, type ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { AskedPage } from './asked-page.ts';
import type { LanguageMatcher } from './languages.ts';
import { trimOws } from '../http/optional-whitespace.ts';

/**
 * Makes keys of parsed parts. Parts are joined by line feeds, which none of them can hold, and are
 * in an order that the path alone decides: different parts never make one key.
 */
export class KeyMaker {
  readonly #languages: LanguageMatcher | undefined;
  readonly #isTrusted: ProxyHeaderPredicate;

  constructor(languages: LanguageMatcher | undefined, isTrusted: ProxyHeaderPredicate) {
    this.#languages = languages;
    this.#isTrusted = isTrusted;
  }

  /** The key of what all requests for this page and these declared variants have in common. */
  primaryKey(page: AskedPage, origin: string, exchange: Exchange): string {
    const key = `${origin}\n${page.path}${page.query}`;
    const vary = page.rule?.vary;
    if (!page.isShared || vary === undefined) return key;
    let variants = '';
    for (const name of vary.cookies ?? []) variants += toPart(cookieOf(exchange, name));
    for (const name of vary.headers ?? []) variants += toPart(this.valueOf(exchange, name));
    return key + variants;
  }

  /** The key of one variant of a page whose Vary names these fields (RFC 9111 section 4.1). */
  variantKey(primaryKey: string, names: readonly string[], exchange: Exchange): string {
    let key = `${primaryKey}\n`;
    for (const name of names) key += `\n${name}${toPart(this.valueOf(exchange, name))}`;
    return key;
  }

  /** The key without the values of one variant. */
  primaryOf(key: string): string {
    const end = key.indexOf('\n\n');
    return end === -1 ? key : key.slice(0, end);
  }

  /** What the engine is given as Accept-Language; undefined where it gets what was received. */
  languageOf(exchange: Exchange): string | undefined {
    return this.#languages?.match(exchange.header('accept-language'));
  }

  /**
   * A request field as it counts: a language is the application's that matches, and what a proxy
   * says that nobody trusts is nothing.
   */
  valueOf(exchange: Exchange, name: string): string | undefined {
    if (isProxyHeader(name) && !this.#isTrusted(name)) return undefined;
    const value = exchange.header(name);
    if (name !== 'accept-language' || this.#languages === undefined) return value && trimOws(value);
    return this.#languages.match(value);
  }
}

/** An absent field differs from an empty one. */
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
