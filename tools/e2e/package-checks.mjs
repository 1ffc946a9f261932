import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
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
    await check(`${name}: no sources, no source maps, and no module that names one`, () => {
      assert.deepEqual(sourcesIn({ folder, files }), []);
    });
    await check(`${name}: each relative import is of a file in the package`, () => {
      assert.deepEqual(missingImports({ folder, files }), []);
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
 * A package's files. `dist/x.{js,d.ts}` stands for a module and its types, `prebuilds/*` for the addons of the machine
 * that packs.
 */
function describePackage({ manifest, files }) {
  const present = new Set(files);
  const inModules = new Set();
  const lines = files.map((path) => {
    const [, stem] = /^dist\/(.*)\.js$/.exec(path) ?? [];
    const parts = ['.js', '.d.ts'].map((ending) => `dist/${stem}${ending}`);
    if (stem === undefined || !parts.every((part) => present.has(part))) return [path, path];
    for (const part of parts) inModules.add(part);
    return [path, `dist/${stem}.{js,d.ts}`];
  });
  const shown = lines
    .filter(([path, line]) => line !== path || !inModules.has(path))
    .map(([, line]) => line.replace(/^prebuilds\/.*/, 'prebuilds/*'));
  return [manifest.name, ...[...new Set(shown)].map((line) => `  ${line}`)].join('\n');
}

/** Sources and maps in a package, and modules that name a map: tools warn of one that is missing. */
function sourcesIn({ folder, files }) {
  const sources = files.filter((path) => path.endsWith('.map') || /(?<!\.d)\.[cm]?ts$/.test(path));
  const modules = files.filter((path) => /^dist\/.*(\.js|\.d\.ts)$/.test(path));
  const naming = modules.filter((path) =>
    /^\/\/# sourceMappingURL=/m.test(readFileSync(join(folder, path), 'utf8')),
  );
  return [...sources, ...naming];
}

/** Relative imports of files that are not in the package: each module as its runtime reads it. */
function missingImports({ folder, files }) {
  const present = new Set(files);
  const modules = files.filter((path) => /^dist\/.*(?<!\.d)\.[cm]?js$/.test(path));
  return modules.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => !present.has(posix.join(posix.dirname(path), specifier)))
      .map((specifier) => `${path}: ${specifier}`);
  });
}
