import { expect, test } from 'vitest';
import { join } from 'node:path';
import {
  type RouteRule,
  type SsrError,
  type SsrOptions,
  withOldBuilds,
  withRequestLog,
} from '@ng-ssr/core';
import { group, optional, splitTable, SsrHandler } from '@ng-ssr/core/adapter';
import { writeBuiltSite } from '../built-site.ts';
import { assertNoNodeOptions, NeutralHandler, type NeutralOptions } from '@ng-ssr/core/neutral';

/** Former options, with the line that takes the place of each. */
const FORMER: readonly (readonly [option: string, line: string])[] = [
  [
    'inspector',
    "features: [withInspector({ path: '/_ops', token })], and import withInspector from",
  ],
  ['earlyHints', 'features: [withEarlyHints()], and import withEarlyHints from'],
  ['speculationRules', 'features: [withSpeculationRules()], and import withSpeculationRules from'],
  ['cache.purgeEndpoint', "features: [withPurgeEndpoint({ path: '/_ng-ssr/purge', token })]"],
  ['publicConfig', "features: [withPublicConfig({ apiUrl: process.env['API_URL'] })]"],
  ['cache.nonce', 'features: [withNonce({ placeholder, policy })], and import withNonce from'],
  ['cache.edge', 'features: [withEdge(varnishEdge({ url, token }))], and import withEdge from'],
  ['builds', "features: [withOldBuilds({ keep: 3, folder: '/var/lib/shop/builds' })]"],
  ['cache.prewarm', "features: [withPrewarm({ paths: ['/'], origin: 'https://shop.example' })]"],
  ['serverTiming', 'features: [withServerTiming()], and import withServerTiming from'],
  ['dictionaries', 'features: [withDictionaries()], and import withDictionaries from'],
  ['cache.store', 'features: [withSharedStore(redisPageStore())], and import withSharedStore from'],
  ['cache.buildId', 'features: [withSharedStore(store, { buildId })]'],
  ['requestLog', 'features: [withRequestLog({ write: (requests) => log(requests) })]'],
  ['locales', "features: [withLocales({ by: ['path', 'accept-language'] })]"],
  ['calls', "features: [withCalls({ '/api/**': { inProcess: true } })]"],
  [
    'render.workers',
    'features: [withRenderThreads({ threads: 2 })], and import withRenderThreads from',
  ],
  [
    'render.threads',
    'features: [withRenderThreads({ threads: 2 })], and import withRenderThreads from',
  ],
  ['render.maxHeapMb', 'features: [withRenderThreads({ maxHeapBytes: 512 * 1024 * 1024 })]'],
  ['render.maxHeapBytes', 'features: [withRenderThreads({ maxHeapBytes: 512 * 1024 * 1024 })]'],
  ['render.recycleAfter', 'features: [withRenderThreads({ recycleAfter: 100_000 })]'],
  ['render.niceness', 'features: [withRenderThreads({ niceness: false })]'],
  ['cache.maxCallBytes', 'features: [withCalls(rules, { maxBytes })], and import withCalls from'],
];

/** Options with another name, and those of other frameworks, with the line to write. */
const RENAMED: readonly (readonly [options: object, name: string, line: string])[] = [
  [{ threads: 2 }, 'threads', 'features: [withServerThreads({ threads: 2 })]'],
  [{ workers: 2 }, 'workers', 'features: [withRenderThreads({ threads: 2 })]'],
  [{ render: { deadlineMs: 1 } }, 'render.deadlineMs', 'render: { maxWaitMs: 3000 }'],
  [
    { render: { bots: { staleSeconds: 1 } } },
    'render.bots.staleSeconds',
    'render: { bots: { maxStale: 3600 } }',
  ],
  [{ features: [withOldBuilds({ folders: [] } as never)] }, 'withOldBuilds.folders', 'previous: ['],
  [
    { features: [withRequestLog({ write: () => undefined, fields: [] } as never)] },
    'withRequestLog.fields',
    "headers: ['user-agent']",
  ],
  ...(
    [
      ['deadlineMs', 'maxWaitMs: 3000'],
      ['render', 'ssr, with the same value'],
      ['isr', 'sMaxAge: 60, staleWhileRevalidate: 31_536_000'],
      ['revalidate', 'sMaxAge: 60, staleWhileRevalidate: 31_536_000'],
      ['ttl', 'sMaxAge: 60'],
      ['maxage', 'maxAge: 60'],
      ['swr', 'sMaxAge: 60, staleWhileRevalidate: 31_536_000'],
      ['ssg', "RenderMode.Prerender in Angular's server routes"],
      ['prerender', "RenderMode.Prerender in Angular's server routes"],
    ] as const
  ).map(
    ([name, line]) =>
      [{ routeRules: { '/a': { [name]: 60 } } }, `routeRules["/a"].${name}`, line] as const,
  ),
  ...['isr', 'swr', 'revalidate', 'ttl'].flatMap((name) => {
    const line = "routeRules: { '/products/**': { sMaxAge: 60";
    return [
      [{ [name]: 60 }, name, line] as const,
      [{ cache: { [name]: 60 } }, `cache.${name}`, line] as const,
    ];
  }),
];

test.each(RENAMED)(
  'the former name in %j is refused with the line to write',
  (options, name, line) => {
    const folder = writeBuiltSite({ 'browser/index.html': '<p>home</p>' });
    const files = { folder: join(folder, 'browser') };
    const create = (): unknown => new SsrHandler({ engine: () => null, files, ...options });
    // Options of other frameworks never had their name here.
    expect(messageOf(create)).toMatch(
      /^(?:the option \S+ has another name|there is no option \S+): write /,
    );
    expect(messageOf(create)).toContain(` ${name}`);
    expect(messageOf(create)).toContain(`: write ${line}`);
  },
);

test('the former name of serveHits is refused with the line to write', () => {
  const create = (): unknown =>
    splitTable<object, object>({}, ['engine'], { hits: 'before-middleware' });
  expect(messageOf(create)).toContain(
    "the option hits has another name: write serveHits: 'before-middleware'",
  );
});

test('a server without modules of Node names the new name too', () => {
  const create = (): unknown =>
    new NeutralHandler({ engine: () => null, render: { deadlineMs: 1 } as object }, undefined);
  expect(messageOf(create)).toContain('has another name: write render: { maxWaitMs: 3000 }');
});

test('a rule whose pages the browser renders has no other option', () => {
  const rules: Readonly<Record<string, RouteRule>> = {
    '/a': { ssr: false },
    '/b': { ssr: 'bots', sMaxAge: 60 },
    '/c': { sMaxAge: 60 },
    // @ts-expect-error -- no page is rendered that could be cached.
    '/d': { ssr: false, sMaxAge: 60 },
    // @ts-expect-error -- no page is rendered that a client could wait for.
    '/e': { ssr: false, maxWaitMs: 60 },
  };
  const create = (): unknown => new SsrHandler({ engine: () => null, routeRules: rules });
  expect(messageOf(create)).toContain('nothing beside ssr: false');
});

function errorOf(name: string): SsrError {
  const [inGroup, outer] = name.split('.').reverse() as [string, string?];
  try {
    if (outer === undefined) splitTable({}, ['engine', 'features'], { [inGroup]: {} });
    else group({ maxBytes: optional(() => 0) })(outer, { [inGroup]: {} });
  } catch (error) {
    return error as SsrError;
  }
  throw new Error(`${name} was taken`);
}

test.each(FORMER)('the former option %s is refused with the line to write', (name, line) => {
  const { code, message } = errorOf(name);
  expect(code).toBe('NG_SSR_OPTION_UNKNOWN');
  expect(message).toContain(`the option ${name} is a feature: write ${line}`);
});

test('an option of the same name in another group is just unknown', () => {
  for (const [name] of FORMER) {
    expect(errorOf(`other.${name.split('.').at(-1)}`).message).toMatch(/^there is no option other/);
  }
});

test('TypeScript refuses them', () => {
  const engine = (): null => null;
  // @ts-expect-error -- a feature.
  const inspector: SsrOptions = { engine, inspector: true };
  // @ts-expect-error -- a feature.
  const log: SsrOptions = { engine, requestLog: { write: () => undefined } };
  // @ts-expect-error -- a feature.
  const purges: SsrOptions = { engine, cache: { purgeEndpoint: { path: '/p', token: 'x' } } };
  // @ts-expect-error -- a feature.
  const calls: SsrOptions = { engine, calls: {} };
  // @ts-expect-error -- another name.
  const rules: SsrOptions = { engine, routeRules: { '/': { lifetime: 'calls' } } };
  // @ts-expect-error -- a feature.
  const build: SsrOptions = { engine, cache: { buildId: 'one' } };
  // @ts-expect-error -- a feature.
  const threads: SsrOptions = { engine, render: { threads: 2 } };
  // @ts-expect-error -- a feature.
  const neutral: NeutralOptions = { engine, cache: { purgeEndpoint: { path: '/p', token: 'x' } } };
  expect([inspector, log, purges, calls, rules, build, threads, neutral]).toHaveLength(8);
});

test('a server without modules of Node refuses them, or says that they need one', () => {
  const cache = { purgeEndpoint: { path: '/p', token: 'x' } } as object;
  expect(() => new NeutralHandler({ engine: () => null, cache }, undefined)).toThrow(
    'the option cache.purgeEndpoint is a feature: write features: [withPurgeEndpoint(',
  );
  expect(() => assertNoNodeOptions({ cache: { store: {} } })).toThrow(
    "the option cache.store needs Node's modules",
  );
  for (const name of ['calls', 'dictionaries', 'inspector', 'locales', 'requestLog']) {
    expect(() => assertNoNodeOptions({ [name]: {} })).toThrow(
      `the option ${name} needs Node's modules`,
    );
  }
});

function messageOf(create: () => unknown): string {
  try {
    create();
  } catch (error) {
    return (error as SsrError).message;
  }
  throw new Error('the options were taken');
}

test('all former options are refused at once, with one line to write', () => {
  const options = { inspector: true, calls: {}, cache: { store: {}, buildId: 'one' } };
  expect(messageOf(() => splitTable<object, object>({}, ['cache'], options))).toBe(
    'the options inspector, calls, cache.store, cache.buildId are features: write features: [' +
      "withInspector({ path: '/_ops', token }), withCalls({ '/api/**': { inProcess: true } }), " +
      'withSharedStore(store, { buildId })], and import withInspector, withCalls, withSharedStore from the package ' +
      'of your adapter',
  );
  expect(
    messageOf(() => assertNoNodeOptions({ ...options, files: {}, render: { threads: 1 } })),
  ).toBe(
    'each of the options inspector, calls, cache.store, cache.buildId, files, render.threads needs ' +
      "Node's modules: servers on Node, Bun and Deno have it (@ng-ssr/fetch)",
  );
});

test('of options that are one feature now, the line shows all', () => {
  const render = { workers: 2, niceness: 10, threads: 2 };
  expect(messageOf(() => splitTable<object, object>({}, ['render'], { render }))).toContain(
    'the options render.workers, render.niceness, render.threads are features: ' +
      'write features: [withRenderThreads({ threads: 2, niceness: false })], and',
  );
});

test('the option threads of listen is refused, with the line to write', () => {
  const listen = group<{ readonly port: unknown }>({ port: (_name, given) => given });
  expect(messageOf(() => listen('listen', { port: 1, threads: 'auto' }))).toBe(
    'the option listen.threads is a feature: write features: [withServerThreads({ threads: 2 })], and import ' +
      'withServerThreads from the package of your adapter',
  );
});

test('all unknown options are refused at once', () => {
  const options = { engin: 1, featurs: 2, zzz: 3 };
  expect(messageOf(() => splitTable<object, object>({}, ['engine', 'features'], options))).toBe(
    'there is no option "engin". Did you mean "engine"? There is no option "featurs". Did you mean "features"? ' +
      'There is no option "zzz": the options are engine, features',
  );
  expect(messageOf(() => splitTable<object, object>({}, ['engine'], { yyy: 1, zzz: 2 }))).toBe(
    'there is no option "yyy"; there is no option "zzz": the options are engine',
  );
  const groups = { cache: { maxByte: 1 }, render: { timeout: 1, bots: { cold: true } } };
  const message = messageOf(() => new SsrHandler({ engine: () => null, ...(groups as object) }));
  for (const name of ['cache.maxByte', 'render.timeout']) {
    expect(message).toContain(`there is no option ${name}`);
  }
});

test('all renamed, misplaced and former options are named at one start', () => {
  const render = { deadlineMs: 1, maxHeapMb: 512 };
  const given = { engine: () => null, port: 80, inspector: {}, render } as unknown as SsrOptions;
  const message = messageOf(() => new SsrHandler(given));
  expect(message).toContain('there is no option port: write server.listen({ port: 4000 }); ');
  expect(message).toContain('the option render.deadlineMs has another name: write render: { ');
  expect(message).toContain(
    '; the options inspector, render.maxHeapMb are features: write features: [withInspector(',
  );
  expect(message).toContain('), withRenderThreads({ maxHeapBytes: 512 * 1024 * 1024 })], and ');
});
