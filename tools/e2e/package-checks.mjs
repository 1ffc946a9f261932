import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { frameworks } from './variants.mjs';

const GOLDEN = join(import.meta.dirname, 'packed-files.txt');
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];
/** The loader of the native addon: for createRequire, and never imported. */
const UNTYPED = ['./addon'];
/** Resolution of a kind that packages of ES modules for Node 20 and bundlers do not claim. */
const NOT_CLAIMED = ['node10', 'node16-cjs'];

/** Are the packages right for those who install them? */
export async function checkPackages(packed, { update, check }) {
  await check('packages: the files in each are those of packed-files.txt', () => {
    const listing = `${packed.map(describePackage).join('\n\n')}\n`;
    if (update) writeFileSync(GOLDEN, listing);
    assert.equal(listing, readFileSync(GOLDEN, 'utf8'));
  });
  for (const { folder, manifest, tarball, files } of packed) {
    const { name } = manifest;
    await check(`${name}: every module has a source map, and its source is in the package`, () => {
      assert.deepEqual(unmapped({ folder, files }), []);
    });
    await check(`${name}: publint`, async () => {
      const data = readFileSync(tarball);
      const { messages, pkg } = await publint({
        pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
        level: 'warning',
        strict: true,
      });
      assert.deepEqual(
        messages.map((message) => formatMessage(message, pkg, { color: false })),
        [],
      );
    });
    await check(`${name}: arethetypeswrong`, async () => {
      const { problems } = await checkPackage(
        createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
      );
      const ours = (problems ?? []).filter(
        ({ resolutionKind, entrypoint }) =>
          !NOT_CLAIMED.includes(resolutionKind) && !UNTYPED.includes(entrypoint),
      );
      assert.deepEqual(
        ours.map((problem) => JSON.stringify(problem)),
        [],
      );
    });
    await check(`${name}: no install script, no framework but a peer`, () => {
      const scripts = Object.keys(manifest.scripts ?? {});
      assert.deepEqual(
        scripts.filter((script) => INSTALL_SCRIPTS.includes(script)),
        [],
      );
      // From a lock file npm does not know of `"gypfile": false`, and would compile.
      assert.ok(!files.includes('binding.gyp'));
      const own = Object.keys(manifest.dependencies ?? {});
      assert.deepEqual(
        own.filter((dependency) => frameworks.includes(dependency)),
        [],
      );
    });
  }
}

/**
 * A package's files. `dist/x.{js,d.ts}` stands for a module, its types, the source maps of both and their
 * source, `prebuilds/*` for the addons of the machine that packs.
 */
function describePackage({ manifest, files }) {
  const present = new Set(files);
  const inModules = new Set();
  const lines = files.map((path) => {
    const [, stem] = /^dist\/(.*)\.js$/.exec(path) ?? [];
    const parts = ['.js', '.d.ts', '.js.map', '.d.ts.map'].map((ending) => `dist/${stem}${ending}`);
    const all = [...parts, `src/${stem}.ts`];
    if (stem === undefined || !all.every((part) => present.has(part))) return [path, path];
    for (const part of all) inModules.add(part);
    return [path, `dist/${stem}.{js,d.ts}`];
  });
  const shown = lines
    .filter(([path, line]) => line !== path || !inModules.has(path))
    .map(([, line]) => line.replace(/^prebuilds\/.*/, 'prebuilds/*'));
  return [manifest.name, ...[...new Set(shown)].map((line) => `  ${line}`)].join('\n');
}

/** The source maps of a package that name a source which is not in it, and its modules without a map. */
function unmapped({ folder, files }) {
  const present = new Set(files);
  const lost = files
    .filter((path) => path.endsWith('.map'))
    .filter((path) =>
      JSON.parse(readFileSync(join(folder, path), 'utf8')).sources.some(
        (source) => !present.has(posix.join(posix.dirname(path), source)),
      ),
    );
  const modules = files.filter((path) => /^src\/.*(?<!\.d)\.ts$/.test(path));
  const without = modules
    .map((path) => path.replace(/^src\/(.*)\.ts$/, 'dist/$1.js'))
    .filter((path) => !present.has(`${path}.map`) || !namesItsMap(join(folder, path)));
  return [...lost, ...without];
}

function namesItsMap(module) {
  return readFileSync(module, 'utf8')
    .trimEnd()
    .endsWith(`//# sourceMappingURL=${basename(module)}.map`);
}
