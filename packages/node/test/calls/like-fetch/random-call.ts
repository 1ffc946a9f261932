import type { Random } from '@ng-ssr/conformance/fuzz';
import type { Answering, Encoding } from './api.ts';

/** The members of RequestInit that a call has; bodies and signals are made for each side. */
export interface RandomCall {
  readonly form: 'string' | 'URL' | 'Request' | 'Request and init' | 'Request as init';
  readonly answering: Answering;
  readonly suffix: string;
  readonly body: BodyKind;
  readonly init: Readonly<Record<string, unknown>>;
  readonly abort: 'before' | 'while' | 'content' | 'after' | undefined;
  readonly reason: unknown;
  readonly reads: (typeof READS)[number];
  readonly isCloned: boolean;
  /** Whether the Request has been read before. */
  readonly isUsed: boolean;
}

const BODIES = [
  ...['none', 'null', 'text', 'empty', 'parameters', 'form', 'file', 'blob', 'typed blob', 'bytes'],
  ...['view', 'buffer', 'stream', 'iterable', 'number', 'object', 'long', 'failing stream'],
] as const;
export type BodyKind = (typeof BODIES)[number];

const READS = ['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'formData', 'stream'] as const;
const METHODS = [
  ...['GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'],
  ...['get', 'post', 'put', 'patch', 'CONNECT', 'trace', 'bad method', ''],
];
const STATUSES = [200, 200, 200, 201, 202, 204, 205, 206, 304, 400, 401, 404, 418, 500, 503, 599];
const REDIRECTS = [301, 302, 303, 307, 308, 300, 304, 305];
const ENCODINGS: readonly Encoding[] = [
  ...(['gzip', 'x-gzip', 'deflate', 'raw deflate', 'br', 'zstd', 'unknown'] as const),
];
const TEXTS = ['', 'text', '{"a":[1,"ä"]}', '\ufeffmarked', 'x'.repeat(5000), '<p>größer</p>'];

/** Each member with the values that it may get. */
const MEMBERS: Readonly<Record<string, readonly unknown[]>> = {
  redirect: ['follow', 'follow', 'error', 'manual', 'bogus'],
  cache: ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached', 'bogus'],
  credentials: ['omit', 'same-origin', 'include', 'bogus'],
  mode: ['cors', 'same-origin', 'navigate', 'bogus'],
  referrerPolicy: ['', 'no-referrer', 'origin', 'unsafe-url', 'same-origin', 'bogus'],
  referrer: ['', 'about:client', 'http://127.0.0.1:9/page?a#b', 'http://[', 'http://other/x'],
  integrity: ['', 'sha256-AAAA', 'bogus', 'sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg='],
  keepalive: [true, false, 'yes'],
  priority: ['high', 'auto', 'bogus'],
  duplex: ['half', 'half', 'full'],
  window: [null, {}],
  // Of frameworks: no runtime knows these.
  next: [{ revalidate: 3 }],
  timeout: [5],
};

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ...([
    ['x-own', 'a, b'],
    ['x-own', 'again'],
    ['X-Mixed-Case', 'yes'],
    ['x-latin', 'gr\u00fc\u00df'],
    ['x-empty', ''],
    ['x-space', '  padded\t'],
    ['accept', 'application/json'],
    ['accept-language', 'de'],
    ['accept-encoding', 'gzip'],
    ['content-type', 'application/x-own'],
    ['cookie', 'a=1; b=2'],
    ['authorization', 'Bearer token'],
    ['user-agent', 'page/1'],
    ['range', 'bytes=0-3'],
    ['if-none-match', '"a"'],
    ['if-modified-since', 'Sat, 01 Jan 2028 00:00:00 GMT'],
    ['cache-control', 'max-age=5'],
    ['pragma', 'x'],
    ['origin', 'http://tenant.example'],
    ['referer', 'http://tenant.example/'],
    ['sec-fetch-mode', 'navigate'],
    ['x-bad', 'a\r\nb: c'],
    ['x-wide', '\u4f60'],
    ['bad name', 'x'],
    ['', 'x'],
  ] as const),
];

/** One call, as plain data. */
export function randomCall(random: Random): RandomCall {
  const init: Record<string, unknown> = {};
  if (random.chance(0.75)) init['method'] = random.pick(METHODS);
  if (random.chance(0.5)) init['headers'] = randomHeaders(random);
  for (const [name, values] of Object.entries(MEMBERS)) {
    if (random.chance(0.12)) init[name] = random.pick(values);
  }
  const isRead = init['method'] === undefined || /^(get|head)$/i.test(String(init['method']));
  const body = random.chance(isRead ? 0.1 : 0.8) ? random.pick(BODIES) : 'none';
  const isStream = body === 'stream' || body === 'iterable' || body === 'failing stream';
  if (isStream && random.chance(0.8)) init['duplex'] = 'half';
  const abort = random.chance(0.15)
    ? random.pick(['before', 'while', 'content', 'after'] as const)
    : undefined;
  // A response whose integrity is checked comes with its whole content.
  if (abort === 'content') delete init['integrity'];
  // An API that sends no end waits for the abort.
  const needsAbort = abort === 'while' || abort === 'content';
  if (!needsAbort && random.chance(0.02)) init['signal'] = random.pick([{}, null, 'signal']);
  return {
    form: random.pick([
      'string',
      'string',
      'URL',
      'Request',
      'Request and init',
      'Request as init',
    ]),
    answering: randomAnswering(random, abort),
    suffix: random.pick(['', '', '', '#part', '&a=%zz', '&ä=ö b', '&b=c?d']),
    ...{ body, init, abort },
    reason: random.pick([undefined, 'gone']),
    reads: random.pick(READS),
    isCloned: random.chance(0.25),
    isUsed: random.chance(0.03),
  };
}

function randomHeaders(random: Random): unknown {
  const count = random.below(4);
  const headers = Array.from({ length: count }, () => random.pick(HEADERS.slice(0, -4)));
  if (random.chance(0.06)) headers.push(random.pick(HEADERS.slice(-4)));
  if (random.chance(0.02))
    return random.pick([5, 'x', [['a']], [['a', 'b', 'c']], { a: Symbol.iterator }]);
  return random.chance(0.5) ? headers : Object.fromEntries(headers);
}

function randomAnswering(random: Random, abort: RandomCall['abort'], depth = 0): Answering {
  if (abort === 'while') return { ending: 'hung' };
  if (abort === 'content') return { ending: 'open', text: 'begun' };
  if (depth < 3 && random.chance(depth === 0 ? 0.35 : 0.3)) {
    return {
      status: random.pick(REDIRECTS),
      text: random.pick(['', 'moved']),
      headers: random.chance(0.2) ? [['referrer-policy', 'no-referrer']] : [],
      location: random.pick([
        ...(['same', 'same', 'same', 'other', 'other', 'none', 'credentials'] as const),
        ...(['scheme', 'malformed'] as const),
      ]),
      next: randomAnswering(random, abort, depth + 1),
    };
  }
  const encodings = random.chance(0.4)
    ? Array.from({ length: random.pick([1, 1, 1, 2, 3, 5]) }, () => random.pick(ENCODINGS))
    : [];
  return {
    status: random.pick(STATUSES),
    ...(random.chance(0.2) && { reason: random.pick(['', 'Fine', 'Sch\u00f6n']) }),
    headers: randomAnswered(random),
    text: random.pick(TEXTS),
    encodings,
    cut: encodings.length > 0 && random.chance(0.3) ? random.below(9) : 0,
    isSized: random.chance(0.5),
    hasHints: random.chance(0.1),
    isInParts: random.chance(0.3),
    ...(random.chance(0.08) && { ending: random.pick(['half', 'reset'] as const) }),
  };
}

function randomAnswered(random: Random): readonly (readonly [string, string])[] {
  const all = [
    ['content-type', 'application/json'],
    ['content-type', 'multipart/form-data; boundary=x'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2; Path=/'],
    ['x-twice', '1'],
    ['x-twice', '2'],
    ['x-latin', 'gr\u00fc\u00df'],
    ['etag', '"a"'],
    ['cache-control', 'max-age=60'],
    ['vary', 'accept'],
    ['connection', 'close'],
  ] as const;
  return all.filter(() => random.chance(0.2));
}
