import { build, type BuildOptions } from 'esbuild';
import type { Figures } from './figures.ts';

const COMMON = {
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  // Angular is the application's, and Node brings its modules.
  external: ['@angular/*', 'xhr2'],
  // Those that the Angular CLI sets in a build for production.
  mainFields: ['es2020', 'es2015', 'module', 'main'],
  conditions: ['es2020', 'es2015', 'module', 'production'],
  logLevel: 'silent',
} satisfies BuildOptions;

const SERVER = `
  import { appEngine, createNodeSsrServer } from '@ng-ssr/node';
  createNodeSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
`;
const WORKER = `
  import { angularAppEngine, createNeutralSsrHandler } from '@ng-ssr/fetch/neutral';
  createNeutralSsrHandler({ engine: angularAppEngine(), manifest: globalThis.manifest });
`;

/** Bytes of ng-ssr in the bundles of users, minified: a server on Node without options, and a Worker. */
export async function bundleFigures(root: string): Promise<Figures> {
  const server = await bundle({
    ...COMMON,
    stdin: { contents: SERVER, resolveDir: root },
    platform: 'node',
  });
  const worker = await bundle({
    ...COMMON,
    stdin: { contents: WORKER, resolveDir: root },
    platform: 'neutral',
  });
  return { ...named('bundle of a node server', server), ...named('bundle of a worker', worker) };
}

/** Bytes by package, with those of dependencies from npm in `other`. */
async function bundle(options: BuildOptions & { metafile: true }): Promise<Map<string, number>> {
  const { metafile } = await build(options);
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, name = 'other'] = /(?:^|\/)packages\/([\w-]+)\/dist\//.exec(path) ?? [];
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return bytes;
}

function named(title: string, bytes: ReadonlyMap<string, number>): Figures {
  const all = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  const rows = [...bytes].sort().map(([name, size]) => [`${title}/${name}`, size] as const);
  return { [title]: all, ...Object.fromEntries(rows) };
}
