/** A path as Angular's router reads it. */
export interface RoutePath {
  /**
   * The segments of the primary outlet: without matrix parameters, a slash or `/index.html` at the
   * end, and the base href, each spelt as {@link spell} does. What one route is asked for by has one
   * of these.
   */
  readonly path: string;
  /**
   * Whether all of Angular reads the path so. Outlets in parentheses, empty segments, `/index.html`
   * and what the router cannot parse are other names for a page, or one page by the router and another
   * by the server routes, whose fields say how it may be stored.
   */
  readonly isPlain: boolean;
}

const INDEX = '/index.html';
const PRIMARY_OUTLET = 'primary';
/** As the router's own parser. */
const MOST_DEPTH = 50;

/**
 * Reads a path as Angular does: `Location.normalize`, then `DefaultUrlSerializer`. What these cannot
 * parse is `/` to the router.
 *
 * @param path - Normalised, as `normalisePath` does.
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
 * The one spelling of a part of a path: no escape for what Angular's serializer leaves as it is
 * (but `*`, which patterns have a meaning for), and escapes in upper case for all else.
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
/** What all of Angular reads as it stands, unless it ends with `/index.html`. */
const PLAIN_PATH = /^(?:\/[\w\-.!~'@:$,&]+)+$/;

/**
 * The beginning of route paths that a person has written: `/products/` does not name `/products`.
 *
 * @param prefix - Normalised; matrix parameters and outlets are passed over.
 */
export function readRoutePrefix(prefix: string, baseHref: string): string {
  if (baseHref.startsWith(prefix)) return '/';
  const [primary] = withoutBase(prefix, baseHref.slice(0, -1)).split(/[()]/, 1);
  const segments = primary!.replaceAll(/;[^/]*/g, '').split(/\/+/);
  return segments.map(spell).join('/');
}

/** As `Location` takes it off. */
function withoutBase(path: string, base: string): string {
  if (base === '' || !path.startsWith(base)) return path;
  const next = path[base.length];
  return next === undefined || next === '/' || next === ';' ? path.slice(base.length) : path;
}

/** As @angular/ssr finds the server route, and with it the fields of a page. */
function serverSegments(path: string): readonly string[] {
  const segments = path
    .replaceAll(/;[^/]+/g, '')
    .split('/')
    .map(spell);
  // There `*` and `**` are the names of its wildcards.
  return segments.filter((segment) => segment !== '' && !/^(?:%2A){1,2}$/.test(segment));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, at) => segment === b[at]);
}

class Unparsable extends Error {}

/** The segments of the primary outlet, undefined for none; and whether there is any outlet. */
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

  /** The router passes over what its parser leaves. */
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
