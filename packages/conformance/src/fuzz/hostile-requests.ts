import type { Random } from './random.ts';

/** One request of the fuzz, and the secret that only its answer may hold. */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Sent in the cookie, in Authorization and in other headers. */
  readonly token: string;
}

/** Finds the tokens of {@link HostileRequests} in a text. */
export const TOKEN = /tok-\d+-x/g;

const METHODS =
  'GET GET GET GET GET GET GET GET HEAD HEAD POST PUT DELETE PATCH OPTIONS PROPFIND'.split(' ');

/** Paths of {@link echoEngine} and files of the fixture site. */
const PATHS = [
  ...['/account', '/account', '/account', '/private', '/auth', '/cookie', '/vary', '/vary'],
  ...['/p/1', '/p/2', '/p/3', '/p/4', '/shared/1', '/shared/2', '/redirect', '/gone', '/empty'],
  ...['/null', '/boom', '/unsendable', '/missing', '/', '/about', '/robots.txt', '/favicon.ico'],
  ...['/index.csr.html', '/index.html', '/api/time', '/api/echo', '/link-outside.txt'],
];

const SUFFIXES = [
  ...['/', '//', ';x=1', ';x=1;y=2', '/index.html', '/index.html/', '/.', '/..', '%2f', '%2F..'],
  ...['%00', '%ff', '%', '%zz', '%25', '%2e%2e', '\\', '%5c', '(x)', '(aux:y)', '//index.html'],
  ...['#', '%23', '%3F', '%3B', ';', ';;', '.html', '~', '%20', '+', 'é', ' ', '\t'],
];

const QUERIES = [
  ...['', '', '', '', '', '?', '?a=1', '?a=1&a=2', '?__proto__=1', '?constructor', '?utm_source=x'],
  ...[
    '?a=%ff',
    '?a=%',
    '?a[]=1',
    '?a=1#b',
    '?=&&=',
    '?a=//x',
    '?a=\\',
    '?page=2',
    '?page=2&page=3',
  ],
];

/** Hosts other than the one that the server answers for. */
const HOSTS = [
  ...['LOCALHOST', 'localhost:80', 'localhost:99999', 'evil.example', 'localhost#', 'localhost?'],
  ...['localhost/a', 'x:y@localhost', '', '[::1]', '127.0.0.1', 'localhost.', 'local host', 'é'],
];

/** Headers that affect the answer, each with values that are hard to parse. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'accept-encoding': [
    ...['gzip', 'br', 'zstd', 'gzip, br', '*', '*;q=0', 'identity;q=0', 'gzip, identity;q=0'],
    ...['gzip;q=0.001', 'gzip;q=2', 'br;q=', ';', ',,,', 'x-gzip', 'deflate', 'GZIP', 'gzip;q=0,*'],
  ],
  'accept-language': ['en', 'de', ' de', 'de ', '\u00a0de', 'de\u00a0', 'de,en;q=0.5', '', ','],
  'if-none-match': ['*', '"x"', 'W/"x"', '"x', '"x", "y"', ',', 'x', 'W/', '"\u00ff"', '""'],
  'if-match': ['*', '"x"', 'W/"x"', '', '"a", "b"'],
  'if-modified-since': [
    ...['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', '0', '-1', 'never'],
    ...[
      'Sun Nov  6 08:49:37 1994',
      'Fri, 31 Dec 9999 23:59:59 GMT',
      'Fri, 99 Foo 2024 99:99:99 GMT',
    ],
  ],
  'if-unmodified-since': ['Sun, 06 Nov 1994 08:49:37 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'x'],
  'if-range': ['"x"', 'W/"x"', 'Sun, 06 Nov 1994 08:49:37 GMT', '', 'x'],
  range: [
    ...['bytes=0-0', 'bytes=0-', 'bytes=-1', 'bytes=-0', 'bytes=5-2', 'bytes=0-0,2-3', 'bytes='],
    ...['bytes=99999999999999999999-', 'items=0-1', 'bytes=a-b', 'bytes=-99999999', 'BYTES=1-2'],
  ],
  'cache-control': ['no-cache', 'no-store', 'max-age=0', 'only-if-cached', 'max-stale', '"', '='],
  pragma: ['no-cache'],
  'x-forwarded-host': ['evil.example', 'localhost', ''],
  'x-forwarded-proto': ['https', 'javascript', 'http, https'],
  'x-forwarded-prefix': ['/evil', '//evil.example', '/../x'],
  'x-forwarded-for': ['1.2.3.4', 'unknown', '::1, x'],
  forwarded: ['host=evil.example', 'host="evil.example";proto=https', 'for="', '='],
  'user-agent': ['Googlebot/2.1', 'Mozilla/5.0', '', 'curl/8'],
  accept: ['text/html', '*/*', 'application/json', ''],
  connection: ['keep-alive', 'x-a', 'cookie', 'host'],
  te: ['trailers', 'chunked'],
  origin: ['null', 'http://evil.example'],
  'sec-purpose': ['prefetch'],
  'max-forwards': ['0', '-1'],
  __proto__: ['x'],
  constructor: ['x'],
  'x-long': ['a'.repeat(7_000)],
};
const NAMES = Object.keys(HEADERS);

/** Generates requests that ordinary clients do not send, from a seed. */
export class HostileRequests {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): HostileRequest {
    const random = this.#random;
    const token = `tok-${this.#count++}-x`;
    const names = new Set(Array.from({ length: random.below(4) }, () => random.pick(NAMES)));
    const headers = [...names].map((name) => [name, random.pick(HEADERS[name]!)] as const);
    if (random.chance(0.7)) {
      const lang = random.pick(['', '; lang=de', '; lang=en', ';lang=\u00a0de', '; lang="de"']);
      headers.push(['cookie', `session=${token}${lang}`]);
    }
    if (random.chance(0.1)) headers.push(['authorization', `Bearer ${token}`]);
    if (random.chance(0.1)) headers.push(['x-user', token]);
    return {
      method: random.pick(METHODS),
      target: this.#target(),
      headers: [['host', random.chance(0.9) ? 'localhost' : random.pick(HOSTS)], ...headers],
      token,
    };
  }

  #target(): string {
    const random = this.#random;
    if (random.chance(0.01))
      return random.pick(['*', '', 'http://localhost/p/1', '//evil.example/']);
    let path = random.pick(PATHS);
    if (random.chance(0.3)) path += random.pick(SUFFIXES);
    if (random.chance(0.05)) path += random.pick(SUFFIXES);
    if (random.chance(0.1)) path = this.#escape(path);
    if (random.chance(0.03)) path = `/(${path.slice(1)})`;
    if (random.chance(0.03)) path = `/${path}`;
    if (random.chance(0.03)) path = this.#damage(path);
    return path + random.pick(QUERIES);
  }

  /** Writes one character as an escape. */
  #escape(path: string): string {
    const at = this.#random.below(path.length);
    const hex = path.charCodeAt(at).toString(16).padStart(2, '0');
    return `${path.slice(0, at)}%${hex}${path.slice(at + 1)}`;
  }

  /** Replaces one character by any octet but CR and LF, which would begin another request. */
  #damage(path: string): string {
    const at = this.#random.below(path.length);
    const code = this.#random.below(256);
    const octet = code === 0x0a || code === 0x0d ? ' ' : String.fromCharCode(code);
    return path.slice(0, at) + octet + path.slice(at + 1);
  }
}
