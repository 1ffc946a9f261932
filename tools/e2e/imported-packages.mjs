import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

/** What the sources of a workspace import is in its package.json. */
export function checkImports(workspace, adapter) {
  const manifest = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const imported = packagesImportedIn(join(workspace, 'src'));
  assert.ok(imported.includes(adapter));
  assert.deepEqual(
    imported.filter((name) => !declared.includes(name)),
    [],
  );
}

/** The packages that TypeScript files import, Node's own not among them. */
function packagesImportedIn(folder) {
  const texts = globSync('**/*.ts', { cwd: folder }).map((path) =>
    readFileSync(join(folder, path), 'utf8'),
  );
  const specifiers = texts
    .flatMap((text) => [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^'.][^']*)'/g)])
    .map(([, specifier]) => specifier)
    .filter((specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier));
  return [...new Set(specifiers.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)[0]))];
}
