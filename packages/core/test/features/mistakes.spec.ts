import {
  type Edge,
  type Feature,
  type SsrError,
  type SsrOptions,
  withEdge,
  withInspector,
  withLocales,
  withNonce,
  withPrewarm,
  withPublicConfig,
  withPurgeEndpoint,
  withSharedStore,
} from '@ng-ssr/core';
import type { Answer, Extension, PageTrait } from '@ng-ssr/core/plug';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Shelf } from './shared-store/fake-page-store.ts';
import { html, type Page, storedServer, type StoredServer } from '../pages/stored-server.ts';

const page: Page = (_request, count) => html(`render ${count}`, { 'cache-control': 's-maxage=60' });

function serverWith(features: readonly unknown[], options: Partial<SsrOptions> = {}): StoredServer {
  const server = storedServer(page, { ...options, features: features as readonly Feature[] });
  onTestFinished(() => server.handler.close());
  return server;
}

function feature(extension: object, others: object = {}): Feature {
  return { name: 'own', install: () => extension as Extension, ...others };
}

const codesOf = ({ errors }: StoredServer): readonly string[] => [
  ...new Set(errors.map(({ code, message }) => `${code} ${/feature (\w+)/.exec(message)?.[1]}`)),
];

const NO_ANSWERS: readonly [string, (answer: Answer) => unknown][] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a text', () => 'answer'],
  ['no body', ({ status, headers }) => ({ status, headers })],
  ['headers that are no pairs', (answer) => ({ ...answer, headers: ['x-one'] })],
  ['a line break', (answer) => ({ ...answer, headers: [...answer.headers, 'x', 'a\nb'] })],
  ['a name that is none', (answer) => ({ ...answer, headers: [...answer.headers, 'a b', 'c'] })],
  ['a promise', (answer) => Promise.resolve(answer)],
];

it.each(NO_ANSWERS)(
  'a fill that gives %s is a 500 that names the feature, also on a hit',
  async (_what, fill) => {
    const isBroken = { is: true };
    const fillOf = () => (answer: Answer) => (isBroken.is ? fill(answer) : answer);
    const server = serverWith([feature({}, { trait: { fillOf } })]);
    for (const isHit of [false, true]) {
      isBroken.is = true;
      const seen = await server.get('/p');
      expect([seen.status, seen.header('cache-status')]).toEqual([
        ...[500, 'ng-ssr; detail=NG_SSR_FEATURE_FAILED'],
      ]);
      isBroken.is = false;
      expect((await server.get('/p')).isHit, `${isHit}`).toBe(true);
    }
    expect(codesOf(server)).toEqual(['NG_SSR_FEATURE_FAILED own']);
  },
);

it.each(NO_ANSWERS)(
  'finish that gives %s is reported, and the answer is sent without it',
  async (_what, finish) => {
    const server = serverWith([feature({ finish })]);
    for (let i = 0; i < 2; i++) expect((await server.get('/p')).text).toContain('render 1');
    expect((await server.get('/nothing', {}, 'POST')).status).toBe(405);
    expect(codesOf(server)).toEqual(['NG_SSR_FEATURE_FAILED own']);
  },
);

it.each(['check', 'keep', 'refuse', 'fillOf'] satisfies (keyof PageTrait)[])(
  'an async %s of a trait is a 500 that names the feature: nothing waits for it',
  async (member) => {
    const trait = { [member]: () => Promise.reject(new Error('async')) };
    const server = serverWith([feature({}, { trait })]);
    for (let i = 0; i < 2; i++) expect((await server.get('/p')).status).toBe(500);
    expect(codesOf(server)).toEqual(['NG_SSR_FEATURE_FAILED own']);
  },
);

it('members that are not of a feature of others do nothing', async () => {
  const placeholder = 'bm9uY2UtaGVyZQ';
  const strange = {
    ...{ document: { publicConfig: '', nonce: undefined, id: 'x' }, locales: ['de'], forServer: 1 },
    ...{ isForClients: true, isForNode: true, traitStage: 'bogus' },
    trait: { keep: () => ({ headers: () => ({ always: ['x-trait', 'is-here'] }) }) },
  };
  let config: string | undefined;
  const server = storedServer(
    (_request, _count, _context, setup) => {
      config = setup?.publicConfig;
      return html(`<script nonce="${setup?.nonce?.secret}"></script>`, {});
    },
    {
      routeRules: { '/**': { sMaxAge: 60 } },
      features: [
        withPublicConfig({ a: 1 }),
        withNonce({ placeholder, policy: `script-src 'nonce-${placeholder}'` }),
        feature({}, strange),
      ],
    },
  );
  onTestFinished(() => server.handler.close());
  const seen = await server.get('/p');
  expect(config).toContain('{"a":1}');
  expect(seen.header('content-security-policy')).toMatch(/^script-src 'nonce-/);
  expect(seen.header('x-trait')).toBe('is-here');
});

it.each(['wrap', 'timePage', 'downstream', 'findOther', 'log'])(
  'an extension of others cannot have %s',
  (member) => {
    expect(() => serverWith([feature({ [member]: 5 })])).toThrow(
      `there is no option the extension of own.${member}`,
    );
  },
);

it('what open throws names the feature, and what it rejects with is reported', async () => {
  const fail = (): never => {
    throw new Error('locked');
  };
  expect(() => serverWith([feature({ open: fail })])).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_FEATURE_FAILED',
      message: 'the feature own could not be opened',
    }),
  );
  const server = serverWith([feature({ open: async () => fail() })]);
  await vi.waitFor(() => expect(codesOf(server)).toEqual(['NG_SSR_FEATURE_FAILED own']));
  expect((await server.get('/p')).status).toBe(200);
});

const failing = (): never => {
  throw new Error('locked');
};

it.each<[string, Feature]>([
  ['install', { name: 'last', install: failing }],
  ['open', feature({ open: failing }, { name: 'last' })],
  ['extension', feature({ endpoints: {} }, { name: 'last' })],
])('features are closed if the %s of a later one fails', async (_member, last) => {
  const events: string[] = [];
  const opened = (name: string, close = (): void => undefined): Feature =>
    feature(
      {
        close: () => {
          events.push(name);
          close();
        },
      },
      { name },
    );
  const errors: SsrError[] = [];
  const create = (): unknown =>
    storedServer(page, {
      features: [opened('a', failing), opened('b'), last],
      onError: (error) => errors.push(error),
    });
  expect(create).toThrow(/last/);
  await vi.waitFor(() => expect(events).toEqual(['a', 'b']));
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'NG_SSR_CLOSE_FAILED the feature a could not be closed',
  ]);
});

it("a feature of others named calls does not provide freshness: 'calls'", () => {
  const routeRules = { '/': { freshness: 'calls' } } as const;
  expect(() =>
    storedServer(page, { routeRules, features: [feature({}, { name: 'calls' })] }),
  ).toThrow("allowed: 'calls' only with withCalls() in features");
});

it.each<[string, Feature]>([
  ['withSharedStore()', withSharedStore(new Shelf().open())],
  ['withPrewarm()', withPrewarm({ paths: ['/'], origin: 'https://shop.example' })],
])('%s is refused where no pages are stored', (name, given) => {
  expect(() => storedServer(page, { cache: false, features: [given] })).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('cache is false, but '),
    }),
  );
  expect(() => storedServer(page, { cache: false, features: [given] })).toThrow(name);
});

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('lost');
    },
  ],
  ['gives a promise', () => Promise.resolve(undefined)],
  ['gives null', () => null],
  ['gives a text', () => 'robots'],
])('a file whose find %s is not there, and other answers are', async (_what, find) => {
  const server = serverWith([feature({ file: { find, says: () => undefined } })]);
  expect((await server.get('/p')).text).toContain('render 1');
  expect(codesOf(server)).toEqual(['NG_SSR_FEATURE_FAILED own']);
});

it('a missing function of an endpoint is named', () => {
  const endpoint = { matches: () => true, answer: () => undefined };
  expect(() => serverWith([feature({ endpoints: [endpoint] })])).toThrow(
    'the extension of own.endpoints[0].says is missing; allowed: a function',
  );
});

it('two endpoints with the same path are refused', () => {
  const token = 'a-token-for-two-endpoints';
  const features = [withInspector({ path: '/x', token }), withPurgeEndpoint({ path: '/x', token })];
  expect(() => serverWith(features)).toThrow(
    'withPurgeEndpoint.path is "/x" (string); allowed: a path that withInspector.path does not have',
  );
});

const EDGE: Edge = {
  ...{ name: 'Fake', settleMs: 0, noStoreHeaders: ['cdn-cache-control', 'no-store'] },
  headersOf: ({ tags }) => ['cdn-cache-control', 'max-age=60', 'xkey', tags.join(' ')],
  purge: () => Promise.resolve(),
};

it.each([
  ['Set-Cookie', 'sid=1'],
  ['Vary', 'x-kind'],
  ['Cache-Control', 'no-cache'],
])('an edge keeps no answer that finish has given a %s', async (name, value) => {
  const finish = (answer: Answer): Answer => ({
    ...answer,
    headers: [...answer.headers, name, value],
  });
  const routeRules = { '/**': { sMaxAge: 60 } };
  const server = serverWith([withEdge(EDGE), feature({ finish })], { routeRules });
  for (let i = 0; i < 2; i++) {
    const seen = await server.get('/p');
    expect([seen.header('cdn-cache-control'), seen.header('xkey')]).toEqual([
      'no-store',
      undefined,
    ]);
  }
});

it('an edge keeps nothing of a server that stores nothing', async () => {
  const own: Page = () =>
    html('page', { 'cache-control': 's-maxage=600', 'surrogate-control': 'max-age=99' });
  const server = storedServer(own, { cache: false, features: [withEdge(EDGE)] });
  onTestFinished(() => server.handler.close());
  const seen = await server.get('/p');
  expect(seen.header('cdn-cache-control')).toBe('no-store');
  expect(seen.header('surrogate-control')).toBeUndefined();
});

it('getters that throw are errors that name the feature', () => {
  const locked = {
    headersOf: () => [],
    purge: async () => undefined,
    get name(): string {
      throw new Error('the vault is locked');
    },
  };
  const config = {
    get apiUrl(): string {
      throw new Error('the vault is locked');
    },
  };
  expect(() => serverWith([withPublicConfig(config)])).toThrow('reading withPublicConfig threw');
  expect(() => serverWith([withEdge(locked as unknown as Edge)])).toThrow('reading withEdge threw');
});

it('features of localized builds are told of others, whatever those have', () => {
  expect(() => serverWith([feature({}, { locales: ['de'] }), withLocales({})])).not.toThrow();
});

it('a form that cannot be chosen is a 500 that names the feature, also on a hit', async () => {
  const isBroken = { is: true };
  const choose = (): undefined => (isBroken.is ? failing() : undefined);
  const server = serverWith([feature({}, { trait: { keep: () => ({ choose }) } })]);
  for (let i = 0; i < 2; i++) {
    const seen = await server.get('/p');
    expect([seen.status, seen.header('cache-status')]).toEqual([
      ...[500, 'ng-ssr; detail=NG_SSR_FEATURE_FAILED'],
    ]);
  }
  isBroken.is = false;
  expect((await server.get('/p')).isHit).toBe(true);
  expect(codesOf(server)).toEqual(['NG_SSR_FEATURE_FAILED own']);
});

it('an option error of another copy of ng-ssr, as in a package of its own, is left as it is', () => {
  const refused = Object.assign(new Error('own.path is missing'), {
    ...{ name: 'SsrError', code: 'NG_SSR_OPTION_INVALID', docs: 'https://docs.example' },
  });
  const install = (): never => {
    throw refused;
  };
  expect(() => serverWith([{ name: 'own', install }])).toThrow(refused);
});
