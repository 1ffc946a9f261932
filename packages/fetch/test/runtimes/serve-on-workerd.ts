import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeManifest } from '@ng-ssr/core/pack';
import { startWorkerd } from '../workerd/start-workerd.ts';

/**
 * A child of the suite, as those on Bun and Deno: packs the site, has workerd serve it, and says where. Its first
 * argument is the bundle of `suite-worker.ts`.
 */
const [bundle, given] = process.argv.slice(2) as [string, string];
const { engineOrigin, builtHosts, options } = JSON.parse(given) as Parameters;
const { files, features, render: _r, ...others } = options;

interface Parameters {
  readonly engineOrigin: string;
  readonly builtHosts: readonly string[];
  readonly options: Readonly<Record<string, unknown>> & {
    readonly files: {
      readonly folder: string;
      readonly maxFileBytes?: number;
      readonly maxBytes?: number;
      readonly encodings?: readonly ('br' | 'gzip' | 'zstd')[];
    };
  };
}

const { folder, maxFileBytes = 1024 * 1024, maxBytes = 64 * 1024 * 1024 } = files;
const { encodings = ['br', 'zstd', 'gzip'] } = files;
const limits = { maxFileBytes, maxPageBytes: maxFileBytes, maxBytes, encodings };
const manifest = await makeManifest(folder, 'conformance', limits, console.error);
const root = await mkdtemp(join(tmpdir(), 'ng-ssr-workerd-'));
const parameters = { engineOrigin, builtHosts, features, options: others };
const modules = {
  'build-manifest.mjs': `export const manifest = ${JSON.stringify(manifest)};`,
  'parameters.js': Object.entries(parameters)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n'),
  'worker.js': await readFile(bundle, 'utf8'),
};
for (const [name, module] of Object.entries(modules)) await writeFile(join(root, name), module);
const names = ['worker.js', 'build-manifest.mjs', 'parameters.js'];
const worker = await startWorkerd(root, names, folder);
console.log(worker.port);
for await (const _line of createInterface(process.stdin)) console.log();
await worker.close();
const printed = worker.printed();
if (printed !== '') console.error(printed);
await rm(root, { recursive: true });
