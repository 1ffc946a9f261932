import { expect, it, test } from 'vitest';
import { type SsrOptions, withNonce, withPrewarm } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { expectRefused, refusalOf, type Refusal } from '../options/refused-options.ts';
import { storedServer } from './stored-server.ts';

const ORIGIN = 'https://shop.example';
const NONCE = { placeholder: 'bm9uY2UtaGVyZQ', policy: "script-src 'nonce-bm9uY2UtaGVyZQ'" };

const CACHE: readonly Refusal[] = [
  [true, 'cache', 'true', 'false, or an object'],
  [null, 'cache', 'null', 'false, or an object'],
  ['on', 'cache', '"on"', 'false, or an object'],
  [[], 'cache', '', 'false, or an object'],
  [new Map(), 'cache', '[object Map]', 'false, or an object'],
  [new Date(0), 'cache', '', 'false, or an object'],
  [{ maxBytes: 0 }, 'cache.maxBytes', '0', 'a whole number of bytes'],
  [{ maxBytes: -1 }, 'cache.maxBytes', '-1', 'a whole number of bytes'],
  [{ maxBytes: 1.5 }, 'cache.maxBytes', '1.5', 'a whole number of bytes'],
  [{ maxBytes: '1' }, 'cache.maxBytes', '"1"', 'a whole number of bytes'],
  [{ maxBytes: Infinity }, 'cache.maxBytes', 'Infinity', 'a whole number of bytes'],
  [{ maxBytes: NaN }, 'cache.maxBytes', 'NaN', 'a whole number of bytes'],
  [{ maxBytes: null }, 'cache.maxBytes', 'null', 'a whole number of bytes'],
  [{ languages: 'en' }, 'cache.languages', '"en"', 'a list of language tags'],
  [{ languages: [] }, 'cache.languages', '', 'a list of language tags'],
  [{ languages: ['en', ''] }, 'cache.languages', '["en", ""]', 'a list of language tags'],
  [{ languages: [1] }, 'cache.languages', '1', 'a list of language tags'],
  [{ languages: ['en_US'] }, 'cache.languages', 'en_US', 'a list of language tags'],
  [{ languages: [' en'] }, 'cache.languages', '', 'a list of language tags'],
  [{ languages: ['*'] }, 'cache.languages', '*', 'a list of language tags'],
  [{ languages: ['languages'.repeat(2)] }, 'cache.languages', '', 'a list of language tags'],
  [{ languages: [, 'en'] }, 'cache.languages', '[, "en"]', 'a list of language tags'],
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

const RULES: readonly Refusal[] = [
  [null, 'routeRules', 'null', 'an object of rules'],
  ['/p', 'routeRules', '"/p"', 'an object of rules'],
  [new Map([['/p', {}]]), 'routeRules', '[object Map]', 'an object of rules'],
  [new Set(), 'routeRules', '[object Set]', 'an object of rules'],
  [[], 'routeRules', '[]', 'an object of rules'],
  [[{ path: '/p' }], 'routeRules', '[{ path }]', 'an object of rules'],
  [() => ({}), 'routeRules', '', 'an object of rules'],
];

/** Rules of `/p`, with the rest of the option's name. */
const OF_PATH: readonly Refusal[] = [
  [new Map(), '', '[object Map]', 'an object'],
  [() => ({}), '', '', 'an object'],
  [{ sMaxAge: 1, vary: new Map() }, '.vary', '[object Map]', 'an object of lists'],
  [{ sMaxAge: 1, vary: { cookies: ['a=b'] } }, '.vary.cookies', '', 'list'],
  [{ sMaxAge: 1, vary: { cookies: ['é'] } }, '.vary.cookies', '', 'list'],
  [{ sMaxAge: 1, vary: { headers: ['a:'] } }, '.vary.headers', '', 'list'],
  [{ sMaxAge: Symbol('1') }, '.sMaxAge', '', 'a whole number of seconds'],
  [{ maxWaitMs: '1' }, '.maxWaitMs', '"1"', 'milliseconds'],
  [{ fallbacks: 'stale' }, '.fallbacks', '"stale"', "a list of 'stale'"],
  [{ fallbacks: ['none'] }, '.fallbacks', 'none', "a list of 'stale'"],
  [null, '', 'null', 'an object'],
  ['x', '', '"x"', 'an object'],
  [60, '', '60', 'an object'],
  [[], '', '', 'an object'],
  [{ cache: true }, '.cache', 'true', 'false'],
  [{ sMaxAge: -1 }, '.sMaxAge', '-1', 'a whole number of seconds'],
  [{ sMaxAge: 1.5 }, '.sMaxAge', '1.5', 'a whole number of seconds'],
  [{ sMaxAge: '60' }, '.sMaxAge', '"60"', 'a whole number of seconds'],
  [{ sMaxAge: null }, '.sMaxAge', 'null', 'a whole number of seconds'],
  [{ maxAge: 60 }, '.maxAge', '60', 'only with sMaxAge'],
  [{ staleWhileRevalidate: 60 }, '.staleWhileRevalidate', '60', 'only with sMaxAge'],
  [{ staleIfError: 60 }, '.staleIfError', '60', 'only with sMaxAge'],
  [{ tags: 'a' }, '.tags', '"a"', 'a list of names'],
  [{ tags: ['a b'] }, '.tags', 'a b', 'a list of names'],
  [{ tags: ['a,b'] }, '.tags', 'a,b', 'a list of names'],
  [{ tags: [''] }, '.tags', '', 'a list of names'],
  [{ vary: {} }, '.vary', '', 'only with sMaxAge'],
  [{ sMaxAge: 1, vary: null }, '.vary', 'null', 'an object'],
  [{ sMaxAge: 1, vary: 'cookie' }, '.vary', '"cookie"', 'an object'],
  [{ sMaxAge: 1, vary: ['cookie'] }, '.vary', 'cookie', 'an object'],
  [{ sMaxAge: 1, vary: { query: 'a' } }, '.vary.query', '"a"', 'a list of names'],
  [{ sMaxAge: 1, vary: { cookies: ['a;b'] } }, '.vary.cookies', 'a;b', 'a list of names'],
  [{ sMaxAge: 1, vary: { headers: [7] } }, '.vary.headers', '7', 'a list of names'],
  ...(['query', 'cookies', 'headers'] as const).flatMap((header) =>
    [[''], [' '], ['a b'], ['a\n'], ['\0'], [null], [7], [Symbol('a')], 'a', new Set(['a'])].map(
      (names): Refusal => [
        { sMaxAge: 1, vary: { [header]: names } },
        `.vary.${header}`,
        '',
        'a list of names',
      ],
    ),
  ),
];

const RENDER: readonly Refusal[] = [
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
  [{ bots: { maxStale: -1 } }, 'render.bots.maxStale', '-1', 'a whole number'],
  [{ bots: { maxStale: '1' } }, 'render.bots.maxStale', '"1"', 'a whole number'],
];

test.each<Refusal>(RENDER)('render: %j is refused: %s', (render, ...named) => {
  expectRefused({ render }, ...named);
});

test.each<Refusal>(CACHE)('cache: %j is refused: %s', (cache, ...named) => {
  expectRefused({ cache }, ...named);
});

test.each<Refusal>(OF_PATH)('a rule %j is refused: %s', (rule, name, ...named) => {
  expectRefused({ routeRules: { '/p': rule } }, `routeRules["/p"]${name}`, ...named);
});

test.each<Refusal>(RULES)('routeRules: %j is refused: %s', (routeRules, ...named) => {
  expectRefused({ routeRules }, ...named);
});

test.each([
  ['p', 'a path that starts with "/"'],
  ['', 'a path that starts with "/"'],
  ['/a*', 'a path that starts with "/"'],
  ['/**/a', 'a path that starts with "/"'],
  ['/***', 'a path that starts with "/"'],
  ['/p?a=1', 'no query'],
])('the key %j of routeRules is refused', (key, allowed) => {
  const { code, message } = refusalOf({ routeRules: { [key]: {} } });
  expect(code).toBe('NG_SSR_OPTION_INVALID');
  expect(message).toContain(`routeRules[${JSON.stringify(key)}]: the key must be a path`);
  expect(message).toContain(allowed);
});

test.each([[[]], [new Map()], [null], [true]])('probes: %j is refused', (probes) => {
  const { code, message } = refusalOf({ probes });
  expect(code).toBe('NG_SSR_OPTION_INVALID');
  expect(message).toMatch(/^probes is .*; allowed: an object/);
});

test('an option that is no text at all is refused as any other', () => {
  for (const value of [Symbol('s'), Object.create(null), { toString: null }]) {
    for (const name of ['errorDetails', 'files.maxFileBytes', 'allowedHosts', 'cache.maxBytes']) {
      const [option, header] = name.split('.') as [string, string?];
      const options = { [option]: header === undefined ? value : { [header]: value } };
      expect(refusalOf(options).code, name).toBe('NG_SSR_OPTION_INVALID');
    }
  }
});

test('rules of a module, and of an object without a prototype, are taken', () => {
  const rules = Object.assign(Object.create(null) as object, { '/p': { sMaxAge: 1 } });
  expect(() => storedServer(() => null, { routeRules: rules as never })).not.toThrow();
});

test.each<[object, string]>([
  [{ cache: { maxByte: 1 } }, 'maxByte'],
  [{ features: [withPrewarm({ paths: ['/'], origin: ORIGIN, path: '/' } as never)] }, 'path'],
  [{ features: [withNonce({ ...NONCE, policies: [] } as never)] }, 'policies'],
  [{ routeRules: { '/p': { smaxage: 1 } } }, 'routeRules["/p"].smaxage'],
  [
    { routeRules: { '/p': { sMaxAge: 1, vary: { cookie: ['a'] } } } },
    'routeRules["/p"].vary.cookie',
  ],
])('an unknown option is refused by its name: %j', (options, name) => {
  const { code, message } = refusalOf(options as object);
  expect(code).toBe('NG_SSR_OPTION_UNKNOWN');
  expect(message).toContain(name);
});

test('rules are checked where nothing is stored too', () => {
  const routeRules = { p: {} };
  for (const options of [{ cache: false }, { files: { folder: '/nowhere/browser' } }] as const) {
    expect(refusalOf({ ...options, routeRules }).code).toBe('NG_SSR_OPTION_INVALID');
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
