import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type Feature,
  SsrError,
  type SsrOptions,
  withCalls,
  withInspector,
  withLocales,
  withPurgeEndpoint,
  withRequestLog,
  withNonce,
  withPrewarm,
  withOldBuilds,
  withRenderThreads,
  withServerThreads,
} from '@ng-ssr/core';
import { copyOptions, OPTION_NAMES, SsrHandler } from '@ng-ssr/core/adapter';

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-options-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fail = (): never => {
  throw new Error('a trap');
};
const TRAPS = Object.fromEntries(
  ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'].map((name) => [
    name,
    fail,
  ]),
);
const VALUE_THAT_THROWS = { enumerable: true, get: fail };
function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
function circle(): object {
  const list: unknown[] = [];
  list.push(list, { list });
  return list;
}

/** Values that no option takes, or that few do. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  'a symbol': () => Symbol('hostile'),
  'a bigint': () => 10n,
  NaN: () => NaN,
  '-0': () => -0,
  '-1': () => -1,
  Infinity: () => Infinity,
  'a fraction': () => 0.5,
  'a text': () => 'hostile \0\r\n',
  'a long text': () => 'x'.repeat(5_000_000),
  true: () => true,
  null: () => null,
  'no prototype': () => Object.create(null) as object,
  'a list with a symbol': () => [Symbol('hostile')],
  'a list with null': () => [null],
  'a list in itself': circle,
  'a long list': () => new Array(100_000).fill({}),
  'a list of holes': () => new Array(2 ** 32 - 1),
  'an object with a symbol': () => ({ a: Symbol('hostile'), [Symbol('b')]: 1 }),
  'an object with null': () => ({ a: null }),
  'a toString that throws': () => ({ toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail }),
  'a getter that throws': () => Object.defineProperty({}, 'a', { enumerable: true, get: fail }),
  'a proxy': () => new Proxy({}, TRAPS),
  'a proxy of a list': () => new Proxy([], TRAPS),
  'a proxy of a function': () => new Proxy(() => undefined, { get: fail }),
  'a revoked proxy': () => revoked({}),
  'a revoked list': () => revoked([]),
  'a class': () => class {},
  'a Map': () => new Map([['a', 1]]),
  'a Date': () => new Date(NaN),
};

/** What the options below a name need beside them. */
const BESIDE: Readonly<Record<string, object>> = {
  withPurgeEndpoint: { path: '/purge', token: 'x'.repeat(16) },
  withPrewarm: { paths: ['/'], origin: 'https://shop.example' },
  withNonce: {
    placeholder: 'bm9uY2UtaGVyZQ',
    policy: "script-src 'nonce-bm9uY2UtaGVyZQ'",
  },
  withRequestLog: { write: () => undefined },
  withInspector: { path: '/_ng-ssr/inspector', token: 'x'.repeat(32) },
  'probes.ready': { path: '/ready', check: () => true },
  'withCalls[url].cache': { sMaxAge: 60 },
};
const SIBLINGS: Readonly<Record<string, object>> = { 'withOldBuilds.keep': { folder } };
const KEYS: Readonly<Record<string, string>> = {
  'routeRules[path]': '/a/**',
  'withCalls[url]': 'https://api.example/**',
};

/** Features by their names in messages, which are those of their functions. */
const FEATURES: Readonly<Record<string, (options: never) => Feature>> = {
  withInspector,
  withNonce,
  withOldBuilds,
  withPrewarm,
  withPurgeEndpoint,
  withRenderThreads,
  withServerThreads,
  withRequestLog,
  withCalls,
  withLocales,
};
/** What the options of a feature are below, if it is not its name. */
const OUTER: Readonly<Record<string, string>> = { withCalls: 'withCalls[url]' };

const lines = readFileSync(join(import.meta.dirname, '../../../../docs/options.md'), 'utf8').split(
  '\n',
);
/** Every option of the documentation, as `render.bots.renderCold`. */
const options = lines
  .map((line) => /^#+ (?:<a id="(?!with)[^"]+"><\/a>)?`([^`]+)`/.exec(line)?.[1] ?? '')
  .filter((name) => OPTION_NAMES.includes(name.split(/[.[]/)[0] as keyof SsrOptions));
/** And every option of these features, as `withInspector.path`. */
const ofFeatures = Object.entries(FEATURES).flatMap(([feature, { name }]) => {
  const row = new RegExp(
    `^#+ <a id="${name.toLowerCase()}-[^"]+"></a>\`(?:${name}(?:\\[\\w+\\])?\\.)?([^\`]+)\``,
  );
  const own = lines.flatMap((line) => row.exec(line)?.[1] ?? []);
  expect(own, name).not.toEqual([]);
  const outer = OUTER[feature] ?? feature;
  return [...new Set([feature, outer, ...own.map((option) => `${outer}.${option}`)])];
});
const names = [...new Set(options), 'routeRules[path]'];

/** The options of a server with one of a given value. */
function withOption(name: string, value: unknown): object {
  const top: Record<string, unknown> = { engine: () => null, allowedHosts: ['localhost'] };
  let at = top;
  let path = '';
  const parts = name.split(/\.|(?=\[)/);
  parts.forEach((part, i) => {
    path += part.startsWith('[') || path === '' ? part : `.${part}`;
    const key = part.startsWith('[') ? KEYS[path]! : part;
    if (i === parts.length - 1) at[key] = value;
    else at = (at[key] ??= { ...BESIDE[path], ...SIBLINGS[name] }) as typeof at;
  });
  const [first] = parts as [string];
  const feature = FEATURES[first];
  if (feature === undefined) return top;
  const { [first]: given, ...others } = top;
  return { ...others, features: [feature(given as never)] };
}

test.each([
  ['null', null, /^options is null/],
  ['a list', [], /^options is /],
  ['a function', fail, /^options is /],
  ['a revoked proxy', revoked({}), /^options is /],
  ['a proxy that throws', new Proxy({}, TRAPS), /^options is /],
  ['names that throw', new Proxy({}, { ownKeys: fail }), /^reading options threw/],
  [
    'a getter that throws',
    Object.defineProperty({}, 'cache', VALUE_THAT_THROWS),
    /^reading cache threw/,
  ],
])('options that are %s are refused', (_title, given, message) => {
  const copy = () => copyOptions(given as object);
  expect(copy).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }) as Error);
  expect(copy).toThrow(message);
});

test('the table has all options', () => {
  expect(new Set(names.map((name) => name.split(/[.[]/)[0]))).toEqual(new Set(OPTION_NAMES));
  expect(names.length + ofFeatures.length).toBeGreaterThan(90);
});

test.each([...names, ...ofFeatures])(
  '%s: hostile values are refused by name, or taken',
  async (name) => {
    for (const [label, make] of Object.entries(VALUES)) {
      const value = make();
      let handler: SsrHandler | undefined;
      let error: unknown;
      try {
        handler = new SsrHandler({
          onError: () => undefined,
          ...withOption(name, value),
        } as unknown as SsrOptions);
      } catch (cause) {
        error = cause;
      }
      // A class cannot be called as onClose.
      await handler?.close().catch(() => undefined);
      if (handler !== undefined) continue;
      expect(error, label).toBeInstanceOf(SsrError);
      const { code, message } = error as SsrError;
      expect(code, label).toMatch(/^NG_SSR_/);
      // An unknown name is itself what the message names.
      const named = code === 'NG_SSR_OPTION_UNKNOWN' ? 'there is no ' : name.split(/[.[]/)[0];
      expect(message, label).toContain(named);
      expect(message.length, label).toBeLessThan(1000);
    }
  },
);
