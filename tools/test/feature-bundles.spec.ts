import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const resolveDir = join(import.meta.dirname, '../..');

/** Code that features need and that is outside of their folders. */
const OUTSIDE = {
  'in-process': '/node/dist/adapter/in-process/',
  'tier-pages': '/core/dist/pages/flights/tier-pages.js',
};

/** The folders of the core's features of which a bundle has code, and the names of the code outside. */
async function featuresIn(contents: string, platform: 'node' | 'neutral'): Promise<Set<string>> {
  const { metafile } = await build({
    stdin: { contents, resolveDir },
    platform,
    ...(platform === 'neutral' && {
      mainFields: ['module', 'main'],
      conditions: ['module', 'production'],
    }),
    ...{ bundle: true, write: false, metafile: true, format: 'esm', logLevel: 'silent' },
    external: ['@angular/*', 'xhr2'],
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const found = new Set<string>();
  for (const [path, { bytesInOutput }] of inputs) {
    if (bytesInOutput === 0) continue;
    const [, feature] = /packages\/core\/dist\/features\/([\w-]+)\//.exec(path) ?? [];
    if (feature !== undefined) found.add(feature);
    for (const [name, part] of Object.entries(OUTSIDE)) if (path.includes(part)) found.add(name);
  }
  return found;
}

const NODE = (features: string): string => `
  import {
    createNodeSsrServer,
    withCalls,
    withDictionaries,
    withEarlyHints,
    withEdge,
    withHeaders,
    withInspector,
    withLocales,
    withNonce,
    withOldBuilds,
    withPrewarm,
    withPublicConfig,
    withPurgeEndpoint,
    withRenderThreads,
    withRequestLog,
    withServerThreads,
    withServerTiming,
    withSharedStore,
    withSlots,
    withSpeculationRules,
  } from '@ng-ssr/node/server';
  createNodeSsrServer({ engine: () => null, features: [${features}] });`;
const NEUTRAL = (features: string): string => `
  import { createNeutralSsrHandler, withPurgeEndpoint, withServerTiming, withSlots } from '@ng-ssr/fetch/neutral-server';
  createNeutralSsrHandler({ engine: () => null, features: [${features}] });`;

test('a server has the code of the features that it names, and no other', async () => {
  const features = {
    calls: "withCalls({ '/api/**': {} })",
    'early-hints': 'withEarlyHints()',
    edge: 'withEdge({})',
    headers: 'withHeaders({})',
    nonce: "withNonce({ placeholder: 'a', policy: 'b' })",
    'old-builds': "withOldBuilds({ folder: 'builds' })",
    prewarm: "withPrewarm({ origin: 'https://shop.example' })",
    'public-config': 'withPublicConfig({})',
    'server-timing': 'withServerTiming()',
    slots: 'withSlots({})',
    'speculation-rules': 'withSpeculationRules()',
    inspector: 'withInspector()',
    locales: 'withLocales({})',
    'purge-endpoint': "withPurgeEndpoint({ path: '/purge', token: process.env['TOKEN'] })",
    dictionaries: 'withDictionaries()',
    'render-threads': 'withRenderThreads()',
    'server-threads': 'withServerThreads()',
    'shared-store': 'withSharedStore(globalThis.store)',
    'request-log': 'withRequestLog({ write: console.log })',
  };
  const outside: Readonly<Record<string, readonly (keyof typeof OUTSIDE)[]>> = {
    calls: ['in-process'],
    slots: ['in-process'],
    'shared-store': ['tier-pages'],
  };
  const none = await featuresIn(NODE(''), 'node');
  for (const name of Object.keys(OUTSIDE)) expect(none).not.toContain(name);
  for (const [name, call] of Object.entries(features)) {
    expect(none).not.toContain(name);
    const own = new Set([...none, name, ...(outside[name] ?? [])]);
    expect(await featuresIn(NODE(call), 'node')).toEqual(own);
  }
});

test('so does a server without modules of Node', async () => {
  const call = "withPurgeEndpoint({ path: '/purge', token: globalThis.token })";
  expect(await featuresIn(NEUTRAL(''), 'neutral')).toEqual(new Set());
  expect(await featuresIn(NEUTRAL(call), 'neutral')).toEqual(new Set(['purge-endpoint']));
  const timed = await featuresIn(NEUTRAL('withServerTiming()'), 'neutral');
  expect(timed).toEqual(new Set(['server-timing']));
  expect(await featuresIn(NEUTRAL('withSlots({})'), 'neutral')).toEqual(new Set(['slots']));
});
