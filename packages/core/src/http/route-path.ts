/** A path as Angular's router reads it. */
export interface RoutePath {
  /**
   * The segments of the primary outlet, without base href, matrix parameters, and a slash or `/index.html` at
   * the end; each spelt as by {@link spell}. All spellings of a route's path have the same value.
   */
  readonly path: string;
  /**
   * Whether the router and the server routes read the path alike. With outlets in parentheses, empty
   * segments, `/index.html`, or text that the router cannot parse, a path is another name for a page; or the
   * router finds one page, and the server routes, whose headers say how it may be stored, another.
   */
  readonly isPlain: boolean;
}

const INDEX = '/index.html';
const PRIMARY_OUTLET = 'primary';
/** The same as in the router's own parser. */
const MOST_DEPTH = 50;

/**
 * Reads a path as Angular does: `Location.normalize`, then `DefaultUrlSerializer`. A path that these cannot
 * parse is `/` to the router.
 *
 * @param path - Normalised by `normalisePath`.
 * @param baseHref - `/` at both ends, or `/` alone.
 */
export function readRoutePath(path: string, baseHref: string): RoutePath {
  let rest = path;
  if (PLAIN_PATH.test(path) && !path.endsWith(INDEX)) {
    return { path: withoutBase(path, baseHref.slice(0, -1)) || '/', isPlain: true };
  }
  while (rest.endsWith(INDEX)) rest = rest.slice(0, -INDEX.length);
  const hasIndex = rest !== path;
  rest = withoutBase(rest, baseHref.slice(0, -1));
  if (rest.endsWith('/')) rest = rest.slice(0, -1);
  let start = 0;
  while (rest[start] === '/') start++;

  const parser = new UrlParser(rest, start);
  let segments: readonly string[] = [];
  let isParsed = true;
  try {
    if (start < rest.length) segments = parser.parseChildren().primary ?? [];
  } catch {
    isParsed = false;
  }
  const spelt = segments.map(spell);
  const isPlain =
    isParsed &&
    !hasIndex &&
    start <= 1 &&
    parser.isAtEnd &&
    !parser.hasOutlets &&
    !segments.includes('') &&
    isSame(spelt, serverSegments(rest));
  return { path: `/${spelt.join('/')}`, isPlain };
}

/**
 * The normal form of a part of a path: no escape for a character that Angular's serializer leaves as it is
 * (but `*`, which has a meaning in patterns), and escapes in upper case for all others.
 */
export function spell(part: string): string {
  return part.replaceAll(/%[\da-f]{2}|[^\w\-.!~'@:$,&]/gi, (text) => {
    const code = text.length === 3 ? Number.parseInt(text.slice(1), 16) : text.charCodeAt(0);
    const character = String.fromCharCode(code);
    if (PLAIN.test(character)) return character;
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

const PLAIN = /[\w\-.!~'@:$,&]/;
/** Paths that all parts of Angular read as they stand, unless they end with `/index.html`. */
const PLAIN_PATH = /^(?:\/[\w\-.!~'@:$,&]+)+$/;

/**
 * A prefix of route paths, as a person has written it: `/products/` does not match `/products`.
 *
 * @param prefix - Normalised; matrix parameters and outlets are ignored.
 */
export function readRoutePrefix(prefix: string, baseHref: string): string {
  if (baseHref.startsWith(prefix)) return '/';
  const [primary] = withoutBase(prefix, baseHref.slice(0, -1)).split(/[()]/, 1);
  const segments = primary!.replaceAll(/;[^/]*/g, '').split(/\/+/);
  return segments.map(spell).join('/');
}

/** Removes the base href as `Location` does. */
function withoutBase(path: string, base: string): string {
  if (base === '' || !path.startsWith(base)) return path;
  const next = path[base.length];
  return next === undefined || next === '/' || next === ';' ? path.slice(base.length) : path;
}

/** The segments by which @angular/ssr finds the server route, and with it the headers of a page. */
function serverSegments(path: string): readonly string[] {
  const segments = path
    .replaceAll(/;[^/]+/g, '')
    .split('/')
    .map(spell);
  // In server routes `*` and `**` are wildcards.
  return segments.filter((segment) => segment !== '' && !/^(?:%2A){1,2}$/.test(segment));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, at) => segment === b[at]);
}

class Unparsable extends Error {}

/** The segments of the primary outlet, undefined for none; and whether there is no outlet at all. */
interface Outlets {
  primary: readonly string[] | undefined;
  isEmpty: boolean;
}

/** The grammar of the router's own `UrlParser`, as far as the primary outlet's segments go. */
class UrlParser {
  readonly #url: string;
  #at: number;
  hasOutlets = false;

  constructor(url: string, start: number) {
    this.#url = url;
    this.#at = start;
  }

  /** The router ignores what its parser leaves unread. */
  get isAtEnd(): boolean {
    return this.#at >= this.#url.length;
  }

  /** @throws Unparsable */
  parseChildren(depth = 0): Outlets {
    if (depth > MOST_DEPTH) throw new Unparsable();
    if (this.isAtEnd) return { primary: undefined, isEmpty: true };
    this.#take('/');
    const segments: string[] = [];
    if (!this.#isNext('(')) segments.push(this.#parseSegment());
    while (this.#isNext('/') && !this.#isNext('//') && !this.#isNext('/(')) {
      this.#at++;
      segments.push(this.#parseSegment());
    }
    let children: Outlets = { primary: undefined, isEmpty: true };
    if (this.#take('/(')) children = this.#parseOutlets(depth);
    let outlets: Outlets = { primary: undefined, isEmpty: true };
    if (this.#take('(')) outlets = this.#parseOutlets(depth);
    if (segments.length === 0 && children.isEmpty) return outlets;
    return { primary: [...segments, ...(children.primary ?? [])], isEmpty: false };
  }

  #parseSegment(): string {
    const path = this.#match(/[^/()?;#]+/y);
    if (path === '' && this.#isNext(';')) throw new Unparsable();
    while (this.#take(';')) {
      const key = this.#match(/[^/()?;=#]+/y);
      if (key !== '' && this.#take('=')) this.#match(/[^/()?;#]+/y);
    }
    return path;
  }

  #parseOutlets(depth: number): Outlets {
    this.hasOutlets = true;
    let primary: readonly string[] | undefined;
    let isEmpty = true;
    while (!this.#take(')') && !this.isAtEnd) {
      const start = this.#at;
      const path = this.#match(/[^/()?;#]+/y);
      if (!['/', ')', ';'].includes(this.#url[this.#at] ?? '')) throw new Unparsable();
      const colon = path.indexOf(':');
      this.#at = colon === -1 ? start : start + colon + 1;
      const child = this.parseChildren(depth + 1);
      if (colon === -1 || path.slice(0, colon) === PRIMARY_OUTLET) primary = child.primary;
      isEmpty = false;
      this.#take('//');
    }
    return { primary, isEmpty };
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match = ''] = pattern.exec(this.#url) ?? [];
    this.#at += match.length;
    return match;
  }

  #isNext(text: string): boolean {
    return this.#url.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at += text.length;
    return true;
  }
}
