import { trimOws } from '../../../http/optional-whitespace.ts';
import { isOrdinary } from '../rules/ordinary-headers.ts';

/** Shorter values, such as `de` or `true`, may be the same in two headers by chance. */
const SHORTEST_SECRET = 16;

/** The credentials of a page's request, to find them in its calls: forwarded by a rule, or set by the application. */
export class PageCredentials {
  readonly #pairs: ReadonlySet<string>;
  /** Without its scheme, whose case does not matter. */
  readonly #authorization: string | undefined;
  readonly #secrets: readonly string[];

  constructor({ headers }: Request) {
    const pairs = pairsOf(headers.get('cookie') ?? '', /;/);
    const authorization = headers.get('authorization');
    this.#pairs = new Set(pairs);
    this.#authorization = authorization === null ? undefined : withoutScheme(authorization);
    const values = [...pairs.flatMap(valuesOf), this.#authorization ?? ''];
    this.#secrets = values.filter((value) => value.length >= SHORTEST_SECRET);
  }

  /**
   * Whether a call carries one of them: the Authorization, a pair of a cookie, or a long value of either in any header. A
   * service's own token is none of them.
   */
  areIn(headers: Headers): boolean {
    if (this.#pairs.size === 0 && this.#authorization === undefined) return false;
    for (const [name, value] of headers) {
      if (name === 'authorization' && withoutScheme(value) === this.#authorization) return true;
      if (isOrdinary(name)) continue;
      const isPair = (pair: string): boolean => this.#pairs.has(pair);
      if (name === 'cookie' && pairsOf(value, /;/).some(isPair)) return true;
      if (pairsOf(value, /[;,]/).some((pair) => pair.includes('=') && isPair(pair))) return true;
      if (this.#secrets.some((secret) => value.includes(secret))) return true;
    }
    return false;
  }
}

function pairsOf(header: string, separator: RegExp): string[] {
  const pairs = header.split(separator).map((pair) => {
    const at = pair.indexOf('=');
    return at === -1
      ? trimOws(pair)
      : `${trimOws(pair.slice(0, at))}=${trimOws(pair.slice(at + 1))}`;
  });
  return pairs.filter((pair) => pair !== '');
}

/** The value of a cookie, as it is sent and as programs read it. */
function valuesOf(pair: string): string[] {
  const value = pair.slice(pair.indexOf('=') + 1).replace(/^"(.*)"$/, '$1');
  try {
    return [value, decodeURIComponent(value)];
  } catch {
    return [value];
  }
}

function withoutScheme(authorization: string): string {
  return trimOws(authorization.slice(authorization.indexOf(' ') + 1));
}
