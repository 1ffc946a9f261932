import { expect, it, test } from 'vitest';
import { SsrError, type SsrOptions, withNonce, withPrewarm } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { storedServer } from './stored-server.ts';

const ORIGIN = 'https://shop.example';
const NONCE = { placeholder: 'bm9uY2UtaGVyZQ', policy: "script-src 'nonce-bm9uY2UtaGVyZQ'" };

const WARM = { paths: ['/'], origin: ORIGIN };

/** What is wrong, and how the message begins: the option, the value, and what is allowed. */
const CACHE: readonly [options: unknown, option: string, value: string, allowed: string][] = [
  [true, 'cache', 'true', 'false or an object'],
  [null, 'cache', 'null', 'false or an object'],
  ['on', 'cache', '"on"', 'false or an object'],
  [[], 'cache', '', 'false or an object'],
  [new Map(), 'cache', '[object Map]', 'false or an object'],
  [new Date(0), 'cache', '', 'false or an object'],
  [{ maxBytes: 0 }, 'cache.maxBytes', '0', 'a whole number of bytes'],
  [{ maxBytes: -1 }, 'cache.maxBytes', '-1', 'a whole number of bytes'],
  [{ maxBytes: 1.5 }, 'cache.maxBytes', '1.5', 'a whole number of bytes'],
  [{ maxBytes: '1' }, 'cache.maxBytes', '"1"', 'a whole number of bytes'],
  [{ maxBytes: Infinity }, 'cache.maxBytes', 'Infinity', 'a whole number of bytes'],
  [{ maxBytes: NaN }, 'cache.maxBytes', 'NaN', 'a whole number of bytes'],
  [{ maxBytes: null }, 'cache.maxBytes', 'null', 'a whole number of bytes'],
  [{ languages: 'en' }, 'cache.languages', '"en"', 'a list of language tags'],
  [{ languages: [] }, 'cache.languages', '', 'a list of language tags'],
  [{ languages: ['en', ''] }, 'cache.languages', 'en,', 'a list of language tags'],
  [{ languages: [1] }, 'cache.languages', '1', 'a list of language tags'],
  [{ languages: ['en_US'] }, 'cache.languages', 'en_US', 'a list of language tags'],
  [{ languages: [' en'] }, 'cache.languages', '', 'a list of language tags'],
  [{ languages: ['*'] }, 'cache.languages', '*', 'a list of language tags'],
  [{ languages: ['languages'.repeat(2)] }, 'cache.languages', '', 'a list of language tags'],
  [{ languages: [, 'en'] }, 'cache.languages', ',en', 'a list of language tags'],
  [{ languages: new Set(['en']) }, 'cache.languages', '[object Set]', 'a list of language tags'],
  [{ ignoredQuery: ['a b'] }, 'cache.ignoredQuery', 'a b', 'a list of parameter names'],
  [{ ignoredQuery: [' '] }, 'cache.ignoredQuery', '', 'a list of parameter names'],
  [{ ignoredQuery: ['a&b'] }, 'cache.ignoredQuery', 'a&b', 'a list of parameter names'],
  [{ ignoredQuery: ['*_id'] }, 'cache.ignoredQuery', '*_id', '"*" only at the end'],
  [{ ignoredQuery: [7] }, 'cache.ignoredQuery', '7', 'a list of parameter names'],
  [{ ignoredQuery: [Symbol('a')] }, 'cache.ignoredQuery', '', 'a list of parameter names'],
  [{ ignoredQuery: 'utm_*' }, 'cache.ignoredQuery', '"utm_*"', 'a list of parameter names'],
  [{ ignoredQuery: [''] }, 'cache.ignoredQuery', '', 'a list of parameter names'],
  [{ ignoredQuery: null }, 'cache.ignoredQuery', 'null', 'a list of parameter names'],
];

const PREWARMS: readonly [options: unknown, option: string, value: string, allowed: string][] = [
  [new Map(), 'withPrewarm', '[object Map]', 'an object'],
  [{ ...WARM, headers: { 'a b': 'x' } }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: { '': 'x' } }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: { a: 'x\n' } }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: new Map() }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: new Headers() }, 'withPrewarm.headers', '', 'an object of'],
  [null, 'withPrewarm', 'null', 'an object'],
  [{ origin: ORIGIN }, 'withPrewarm', '', 'paths or sitemap'],
  [{ origin: ORIGIN, paths: '/p' }, 'withPrewarm.paths', '"/p"', 'a list of paths'],
  [{ origin: ORIGIN, paths: ['p'] }, 'withPrewarm.paths', 'p', 'a list of paths'],
  [{ origin: ORIGIN, sitemap: '' }, 'withPrewarm.sitemap', '""', "a file's path"],
  [{ paths: ['/'] }, 'withPrewarm.origin', 'missing', 'an origin'],
  [{ paths: ['/'], origin: 'x' }, 'withPrewarm.origin', '"x"', 'an origin'],
  [{ paths: ['/'], origin: `${ORIGIN}/` }, 'withPrewarm.origin', '"https', 'an origin'],
  [{ paths: ['/'], origin: 'ftp://shop.example' }, 'withPrewarm.origin', '"ftp:', 'an origin'],
  [
    { paths: ['/'], origin: ORIGIN, headers: 'x' },
    'withPrewarm.headers',
    '"x"',
    'an object of request field names',
  ],
  [
    { paths: ['/'], origin: ORIGIN, headers: { cookie: 7 } },
    'withPrewarm.headers',
    '',
    'an object of request field names',
  ],
  [
    { paths: ['/'], origin: ORIGIN, concurrency: 0 },
    'withPrewarm.concurrency',
    '0',
    'a whole number',
  ],
  [
    { paths: ['/'], origin: ORIGIN, blocksReady: 'yes' },
    'withPrewarm.blocksReady',
    '"yes"',
    'true or false',
  ],
];

const NONCES: readonly [options: unknown, option: string, value: string, allowed: string][] = [
  [new Map(), 'withNonce', '[object Map]', 'an object'],
  [null, 'withNonce', 'null', 'an object'],
  [{ ...NONCE, placeholder: 'short' }, 'withNonce.placeholder', '"short"', 'base64'],
  [{ ...NONCE, placeholder: 'with "quotes"' }, 'withNonce.placeholder', '', 'base64'],
  [{ ...NONCE, placeholder: 7 }, 'withNonce.placeholder', '7', 'base64'],
  [{ ...NONCE, policy: "script-src 'self'" }, 'withNonce.policy', '"script', "'nonce-"],
  [{ ...NONCE, policy: `${NONCE.policy}\n` }, 'withNonce.policy', '', 'field'],
  [{ ...NONCE, policy: `${NONCE.policy}\u2026` }, 'withNonce.policy', '', 'field'],
  [{ placeholder: NONCE.placeholder }, 'withNonce.policy', 'missing', "'nonce-"],
];

const RULES: readonly [rules: unknown, option: string, value: string, allowed: string][] = [
  [null, 'routeRules', 'null', 'an object of rules'],
  ['/p', 'routeRules', '"/p"', 'an object of rules'],
  [new Map([['/p', {}]]), 'routeRules', '[object Map]', 'an object of rules'],
  [new Set(), 'routeRules', '[object Set]', 'an object of rules'],
  [[], 'routeRules', '', 'an object of rules'],
  [[{ path: '/p' }], 'routeRules', '[object Object]', 'an object of rules'],
  [() => ({}), 'routeRules', '', 'an object of rules'],
  [{ '/p': new Map() }, 'routeRules["/p"]', '[object Map]', 'an object'],
  [{ '/p': () => ({}) }, 'routeRules["/p"]', '', 'an object'],
  [
    { '/p': { sMaxAge: 1, vary: new Map() } },
    'routeRules["/p"].vary',
    '[object Map]',
    'an object with query',
  ],
  ...(['query', 'cookies', 'headers'] as const).flatMap((field) =>
    [[''], [' '], ['a b'], ['a\n'], ['\0'], [null], [7], [Symbol('a')], 'a', new Set(['a'])].map(
      (names): [unknown, string, string, string] => [
        { '/p': { sMaxAge: 1, vary: { [field]: names } } },
        `routeRules["/p"].vary.${field}`,
        '',
        'a list of names',
      ],
    ),
  ),
  [
    { '/p': { sMaxAge: 1, vary: { cookies: ['a=b'] } } },
    'routeRules["/p"].vary.cookies',
    '',
    'list',
  ],
  [{ '/p': { sMaxAge: 1, vary: { cookies: ['é'] } } }, 'routeRules["/p"].vary.cookies', '', 'list'],
  [
    { '/p': { sMaxAge: 1, vary: { headers: ['a:'] } } },
    'routeRules["/p"].vary.headers',
    '',
    'list',
  ],
  [{ '/p': { sMaxAge: Symbol('1') } }, 'routeRules["/p"].sMaxAge', '', 'a whole number of seconds'],
  [{ '/p': { deadlineMs: '1' } }, 'routeRules["/p"].deadlineMs', '"1"', 'milliseconds'],
  [{ '/p': { fallbacks: 'stale' } }, 'routeRules["/p"].fallbacks', '"stale"', 'a list of stale'],
  [{ '/p': { fallbacks: ['none'] } }, 'routeRules["/p"].fallbacks', 'none', 'a list of stale'],
  [{ p: {} }, 'routeRules', '["p"] is not allowed', 'a path from "/"'],
  [{ '': {} }, 'routeRules', '[""] is not allowed', 'a path from "/"'],
  [{ '/a*': {} }, 'routeRules', '["/a*"] is not allowed', 'a path from "/"'],
  [{ '/**/a': {} }, 'routeRules', '["/**/a"] is not allowed', 'a path from "/"'],
  [{ '/***': {} }, 'routeRules', '["/***"] is not allowed', 'a path from "/"'],
  [{ '/p?a=1': {} }, 'routeRules', '["/p?a=1"] is not allowed', 'no query'],
  [{ '/p': null }, 'routeRules["/p"]', 'null', 'an object'],
  [{ '/p': 'x' }, 'routeRules["/p"]', '"x"', 'an object'],
  [{ '/p': 60 }, 'routeRules["/p"]', '60', 'an object'],
  [{ '/p': [] }, 'routeRules["/p"]', '', 'an object'],
  [{ '/p': { cache: true } }, 'routeRules["/p"].cache', 'true', 'false'],
  [{ '/p': { sMaxAge: -1 } }, 'routeRules["/p"].sMaxAge', '-1', 'a whole number of seconds'],
  [{ '/p': { sMaxAge: 1.5 } }, 'routeRules["/p"].sMaxAge', '1.5', 'a whole number of seconds'],
  [{ '/p': { sMaxAge: '60' } }, 'routeRules["/p"].sMaxAge', '"60"', 'a whole number of seconds'],
  [{ '/p': { sMaxAge: null } }, 'routeRules["/p"].sMaxAge', 'null', 'a whole number of seconds'],
  [{ '/p': { maxAge: 60 } }, 'routeRules["/p"].maxAge', '60', 'only together with sMaxAge'],
  [
    { '/p': { staleWhileRevalidate: 60 } },
    'routeRules["/p"].staleWhileRevalidate',
    '60',
    'only together with sMaxAge',
  ],
  [
    { '/p': { staleIfError: 60 } },
    'routeRules["/p"].staleIfError',
    '60',
    'only together with sMaxAge',
  ],
  [{ '/p': { tags: 'a' } }, 'routeRules["/p"].tags', '"a"', 'a list of names'],
  [{ '/p': { tags: ['a b'] } }, 'routeRules["/p"].tags', 'a b', 'a list of names'],
  [{ '/p': { tags: ['a,b'] } }, 'routeRules["/p"].tags', 'a,b', 'a list of names'],
  [{ '/p': { tags: [''] } }, 'routeRules["/p"].tags', '', 'a list of names'],
  [{ '/p': { vary: {} } }, 'routeRules["/p"].vary', '', 'only together with sMaxAge'],
  [{ '/p': { sMaxAge: 1, vary: null } }, 'routeRules["/p"].vary', 'null', 'an object'],
  [{ '/p': { sMaxAge: 1, vary: 'cookie' } }, 'routeRules["/p"].vary', '"cookie"', 'an object'],
  [{ '/p': { sMaxAge: 1, vary: ['cookie'] } }, 'routeRules["/p"].vary', 'cookie', 'an object'],
  [
    { '/p': { sMaxAge: 1, vary: { query: 'a' } } },
    'routeRules["/p"].vary.query',
    '"a"',
    'a list of names',
  ],
  [
    { '/p': { sMaxAge: 1, vary: { cookies: ['a;b'] } } },
    'routeRules["/p"].vary.cookies',
    'a;b',
    'a list of names',
  ],
  [
    { '/p': { sMaxAge: 1, vary: { headers: [7] } } },
    'routeRules["/p"].vary.headers',
    '7',
    'a list of names',
  ],
];

function create(options: Partial<SsrOptions>): SsrError {
  try {
    storedServer(() => null, options);
  } catch (error) {
    expect(error).toBeInstanceOf(SsrError);
    return error as SsrError;
  }
  throw new Error(`it was taken: ${JSON.stringify(options)}`);
}

const RENDER: readonly [options: unknown, option: string, value: string, allowed: string][] = [
  [null, 'render', 'null', 'an object of options'],
  [[], 'render', '', 'an object of options'],
  [new Map(), 'render', '[object Map]', 'an object of options'],
  ['fast', 'render', '"fast"', 'an object of options'],
  [{ bots: null }, 'render.bots', 'null', 'an object with renderCold'],
  [{ bots: true }, 'render.bots', 'true', 'an object with renderCold'],
  [{ bots: false }, 'render.bots', 'false', 'an object with renderCold'],
  [{ bots: 'Googlebot' }, 'render.bots', '"Googlebot"', 'an object with renderCold'],
  [{ bots: ['Googlebot'] }, 'render.bots', 'Googlebot', 'an object with renderCold'],
  [{ bots: new Map() }, 'render.bots', '[object Map]', 'an object with renderCold'],
  [{ bots: { renderCold: 'no' } }, 'render.bots.renderCold', '"no"', 'true or false'],
  [{ bots: { staleSeconds: -1 } }, 'render.bots.staleSeconds', '-1', 'a whole number'],
  [{ bots: { staleSeconds: '1' } }, 'render.bots.staleSeconds', '"1"', 'a whole number'],
];

test.each(RENDER)('render: %j is refused: %s', (render, name, value, allowed) => {
  const { code, message } = create({ render } as Partial<SsrOptions>);
  expect([code, message]).toEqual(['NG_SSR_OPTION_INVALID', message]);
  expect(message.startsWith(`${name} is ${value}`), message).toBe(true);
  expect(message.slice(message.indexOf('allowed: '))).toContain(allowed);
});

test.each([[[]], [new Map()], [null], [true]])('probes: %j is refused', (probes) => {
  const { code, message } = create({ probes } as unknown as Partial<SsrOptions>);
  expect(code).toBe('NG_SSR_OPTION_INVALID');
  expect(message).toMatch(/^probes is .*; allowed: an object/);
});

test('an option that is no text at all is refused as any other', () => {
  for (const value of [Symbol('s'), Object.create(null), { toString: null }]) {
    for (const name of ['errorDetails', 'files.maxFileBytes', 'allowedHosts', 'cache.maxBytes']) {
      const [option, field] = name.split('.') as [string, string?];
      const options = { [option]: field === undefined ? value : { [field]: value } };
      expect(create(options).code, name).toBe('NG_SSR_OPTION_INVALID');
    }
  }
});

test('rules of a module, and of an object without a prototype, are taken', () => {
  const rules = Object.assign(Object.create(null) as object, { '/p': { sMaxAge: 1 } });
  expect(() => storedServer(() => null, { routeRules: rules as never })).not.toThrow();
});

test.each(CACHE)('cache: %j is refused: %s', (options, name, value, allowed) => {
  const { code, message } = create({ cache: options } as Partial<SsrOptions>);
  expect([code, message]).toEqual(['NG_SSR_OPTION_INVALID', message]);
  expect(message.startsWith(`${name} is ${value}`), message).toBe(true);
  expect(message.slice(message.indexOf('allowed: '))).toContain(allowed);
});

test.each(NONCES)('withNonce(%j) is refused: %s', (options, name, value, allowed) => {
  const { code, message } = create({ features: [withNonce(options as never)] });
  expect([code, message]).toEqual(['NG_SSR_OPTION_INVALID', message]);
  expect(message.startsWith(`${name} is ${value}`), message).toBe(true);
  expect(message.slice(message.indexOf('allowed: '))).toContain(allowed);
});

test.each(PREWARMS)('withPrewarm(%j) is refused: %s', (options, name, value, allowed) => {
  const { code, message } = create({ features: [withPrewarm(options as never)] });
  expect([code, message]).toEqual(['NG_SSR_OPTION_INVALID', message]);
  expect(message.startsWith(`${name} is ${value}`), message).toBe(true);
  expect(message.slice(message.indexOf('allowed: '))).toContain(allowed);
});

test.each(RULES)('routeRules: %j is refused: %s', (routeRules, name, value, allowed) => {
  const { code, message } = create({ routeRules } as Partial<SsrOptions>);
  expect([code, message]).toEqual(['NG_SSR_OPTION_INVALID', message]);
  const start = value.startsWith('["') ? `the key of ${name}${value}` : `${name} is ${value}`;
  expect(message.startsWith(start), message).toBe(true);
  expect(message.slice(message.indexOf('allowed: '))).toContain(allowed);
});

test.each<[unknown, string]>([
  [{ cache: { maxByte: 1 } }, 'maxByte'],
  [{ features: [withPrewarm({ paths: ['/'], origin: ORIGIN, path: '/' } as never)] }, 'path'],
  [{ features: [withNonce({ ...NONCE, policies: [] } as never)] }, 'policies'],
  [{ routeRules: { '/p': { smaxage: 1 } } }, 'routeRules["/p"].smaxage'],
  [
    { routeRules: { '/p': { sMaxAge: 1, vary: { cookie: ['a'] } } } },
    'routeRules["/p"].vary.cookie',
  ],
])('an unknown option is refused by its name: %j', (options, name) => {
  const { code, message } = create(options as Partial<SsrOptions>);
  expect(code).toBe('NG_SSR_OPTION_UNKNOWN');
  expect(message).toContain(name);
});

test('rules are checked where nothing is stored too', () => {
  const routeRules = { p: {} };
  for (const options of [{ cache: false }, { files: { folder: '/nowhere/browser' } }] as const) {
    expect(create({ ...options, routeRules }).code).toBe('NG_SSR_OPTION_INVALID');
  }
});

it('takes what is allowed', () => {
  const options: Partial<SsrOptions> = {
    cache: {
      maxBytes: 1,
      languages: ['en', 'de-AT'],
      ignoredQuery: ['*', 'utm_*', 'a[b]', 'a;b'],
    },
    features: [
      withNonce(NONCE),
      withPrewarm({ paths: [], origin: 'http://localhost:4200', headers: {}, concurrency: 9 }),
    ],
    routeRules: {
      '/': {},
      '/**': { cache: false },
      '/a/*/:id': { sMaxAge: 0, maxAge: 0, staleWhileRevalidate: 0, staleIfError: 0, tags: [] },
      '/café/**': { sMaxAge: 1, vary: { query: [], cookies: undefined, headers: ['Accept'] } },
      '/undefined': { cache: undefined, sMaxAge: undefined, maxAge: undefined, vary: undefined },
    },
  };
  expect(() => storedServer(() => null, options)).not.toThrow();
  expect(() => new SsrHandler({ engine: () => null, cache: undefined })).not.toThrow();
});
