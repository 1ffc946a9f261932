import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The specs that take longest, by the end of their paths. */
const LONGEST = [
  '.whole.spec.ts',
  'fetch/test/shutdown.slow.spec.ts',
  'core/test/features/render-threads/lost-threads.slow.spec.ts',
  'core/test/features/calls/hostile-apis.slow.spec.ts',
  'redis/test/cluster.spec.ts',
  'material-app/test/browser-app.spec.ts',
  'redis/test/outages.slow.spec.ts',
  '/conformance-threads.slow.spec.ts',
  'material-app/test/built-app.spec.ts',
  'cli/test/compare.slow.spec.ts',
  'cli/test/server-commands.spec.ts',
  'node/test/packed-build.slow.spec.ts',
  'node/test/tokens/tokens.model.slow.spec.ts',
  'fetch/test/conformance-elysia.slow.spec.ts',
  'node/test/conformance.spec.ts',
  'core/test/render/uncaught-errors.slow.spec.ts',
  'koa/test/conformance.spec.ts',
  'fastify/test/conformance.spec.ts',
  'material-app/test/skew.slow.spec.ts',
  'node/test/inspector-browser.slow.spec.ts',
  'node/test/slots-cdn-browser.slow.spec.ts',
  'node/test/late-calls-browser.slow.spec.ts',
  'material-app/test/deploy/nginx.slow.spec.ts',
  'redis/test/processes.slow.spec.ts',
  'tiered-store/test/cold-start.slow.spec.ts',
  'tiered-store/test/lost-stores.slow.spec.ts',
  'material-app/test/rolling-deploys.slow.spec.ts',
  'core/test/features/old-builds/builds.spec.ts',
  'material-app/test/browser-common.slow.spec.ts',
  'node/test/threads.slow.spec.ts',
  'tools/test/api-reports.slow.spec.ts',
];

/** Specs of `npm run test:slow`: they take long, on all cores or in further processes. */
const SLOW = '**/*.slow.spec.ts';
/** Those of them that CI runs: what no quick spec has, and what alone detects a planted fault. */
const SLOW_OF_CI = [
  'packages/cli/test/compare.slow.spec.ts',
  'packages/express/test/shutdown.slow.spec.ts',
  'packages/fastify/test/shutdown.slow.spec.ts',
  'packages/fastify/test/socket-hits-differential.slow.spec.ts',
  'packages/fetch/test/conformance-elysia.slow.spec.ts',
  'packages/fetch/test/conformance-workerd.slow.spec.ts',
  'packages/koa/test/shutdown.slow.spec.ts',
  'packages/node/test/dictionaries-browser.slow.spec.ts',
  'packages/node/test/late-calls-browser.slow.spec.ts',
  'packages/node/test/packed-build.slow.spec.ts',
  'packages/node/test/slots-browser.slow.spec.ts',
  'packages/node/test/third-party-adapter.slow.spec.ts',
  'packages/node/test/tokens/tokens.model.slow.spec.ts',
  'packages/schematics/test/refusals.slow.spec.ts',
  'packages/schematics/test/stock-server.slow.spec.ts',
  'tools/test/editor-help.slow.spec.ts',
];
SLOW_OF_CI.push(...detectors().filter((spec) => spec.endsWith('.slow.spec.ts')));
for (const spec of SLOW_OF_CI) {
  if (!existsSync(join(import.meta.dirname, spec)))
    throw new Error(`CI runs ${spec}: no such file`);
}

/**
 * Specs of `npm run test:all` alone: each needs ten seconds and more of both cores or the registry, detects no planted fault
 * that others do not, and other specs or rows of the e2e have most of what it tests.
 */
const WHOLE = '**/*.whole.spec.ts';
/** Which slow specs run: set by tools/test.mjs. */
const SLOW_RUN = process.env['NG_SSR_SLOW'] ?? 'all';
if (!['none', 'ci', 'all'].includes(SLOW_RUN)) {
  throw new Error(`NG_SSR_SLOW is ${JSON.stringify(SLOW_RUN)}; allowed: none, ci, all`);
}

/** How much is tested: see packages/conformance/src/fuzz/extent.ts. */
const EXTENT = process.env['NG_SSR_TESTS'] ?? 'short';
if (EXTENT !== 'short' && EXTENT !== 'all') {
  throw new Error(`NG_SSR_TESTS is ${JSON.stringify(EXTENT)}; allowed: short, all`);
}

/**
 * What is compiled is loaded by Node, as packages from npm are, and not transformed for every spec again. A spec has
 * the adapter for Express run with Express 4, by `vi.mock`, which sees what Vitest loads.
 */
const COMPILED = /\/packages\/(?!express\/)[^/]+\/dist\//;

/** Begins with the longest specs: the last ones decide when the run ends, and leave other workers idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** The specs that are known to detect planted faults. */
function detectors(): string[] {
  const file = join(import.meta.dirname, 'tools/test/faults/specs.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { spec: string }[]).map(({ spec }) => spec);
}

/** Of a project. */
function excludedSlow(folder: string): string[] {
  if (SLOW_RUN === 'all') return [];
  if (SLOW_RUN === 'none') return [SLOW];
  const cwd = join(import.meta.dirname, folder);
  return globSync(`test/${SLOW}`, { cwd }).filter(
    (spec) => !SLOW_OF_CI.includes(`${folder}/${spec}`),
  );
}

/** `npm run faults`, which runs a spec alone, waits for less. */
const LIMIT_MS = Number(process.env['NG_SSR_TEST_LIMIT_MS'] ?? 300_000);

/** Projects whose tests measure. */
const ALONE = ['bench'];
const OTHERS = ['packages/*', 'native', 'examples/material-app', 'examples/docs', 'tools'];

/** Vitest runs the groups one after the other. A project takes neither name nor workers from what it extends. */
function group(folders: readonly string[], groupOrder: number, maxWorkers: number) {
  return folders.map(async (folder) => {
    const file = join(import.meta.dirname, folder, 'vitest.config.ts');
    const { default: config } = (await import(pathToFileURL(file).href)) as Named;
    const { name, setupFiles = [] } = config.test;
    const exclude = [
      ...configDefaults.exclude,
      ...excludedSlow(folder),
      ...(EXTENT === 'short' ? [WHOLE] : []),
    ];
    const env = { NG_SSR_TESTS: EXTENT };
    // As in vitest.setup.ts.
    const expect = { poll: { timeout: 60_000 } };
    const test = {
      ...{ name, maxWorkers, exclude, env, expect, sequence: { groupOrder } },
      server: { deps: { external: [COMPILED] } },
      // Nothing takes as long, not on a busy machine either: these end what hangs. Tests have no limits of their own.
      testTimeout: LIMIT_MS,
      hookTimeout: LIMIT_MS,
      setupFiles: [join(import.meta.dirname, 'vitest.setup.ts'), ...setupFiles],
    };
    return { extends: file, root: folder, test };
  });
}

interface Named {
  readonly default: {
    readonly test: {
      readonly name: string;
      readonly setupFiles?: readonly string[];
    };
  };
}

const cores = availableParallelism();
const others = globSync(OTHERS, { cwd: import.meta.dirname, exclude: ALONE });

export default defineConfig({
  test: {
    projects: [
      // They wait for servers, browsers and clocks for half of their time: four more than there are cores.
      ...(await Promise.all(group(others, 0, cores + 4))),
      ...(await Promise.all(group(ALONE, 1, cores))),
    ],
    // Abridged, unless `npm run test:all` asks for everything.
    env: { NG_SSR_TESTS: EXTENT },
    // What a test prints is shown where it fails.
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    // Node's `fetch` goes on reading a Blob or a form whose call was aborted, and fails where no caller can catch it.
    onUnhandledError: ({ message, stack = '' }) =>
      !(
        message.endsWith('ReadableStream is already closed') &&
        /\n\s+at node:internal\/deps\/undici\/undici:/.test(stack)
      ),
    // It would advise processes that files share, and with them what a file has replaced.
    experimental: { diagnostics: false },
  },
});
