import type { DirEntry, Tree } from '@angular-devkit/schematics';
import type { Manifest } from './manifest.ts';

/** Generated folders: packages, builds, reports and caches. */
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'tmp', '.git', '.angular', '.nx']);
const SOURCE = /\.[cm]?[jt]sx?$|^tsconfig.*\.json$/;

/**
 * Removes packages that nothing in the workspace names any more from package.json, each with its types.
 *
 * @param packages - The packages of a removed server.
 * @returns The removed packages.
 */
export function removeUnused(
  tree: Tree,
  manifest: Manifest,
  packages: readonly string[],
): string[] {
  const present = packages.filter((name) => manifest.has(name));
  const named = new Set<string>();
  if (present.length > 0) collectNamed(tree.root, tree, present, named);
  return present
    .filter((name) => !named.has(name))
    .flatMap((name) => [name, typesOf(name)])
    .filter((name) => manifest.removeDependency(name));
}

/** Whether any source of the workspace names a package. */
export function isNamed(tree: Tree, name: string): boolean {
  const named = new Set<string>();
  collectNamed(tree.root, tree, [name], named);
  return named.has(name);
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`;
}

function collectNamed(
  folder: DirEntry,
  tree: Tree,
  packages: readonly string[],
  named: Set<string>,
): void {
  for (const file of folder.subfiles.filter((name) => SOURCE.test(name))) {
    const text = tree.read(`${folder.path}/${file}`)?.toString() ?? '';
    for (const name of packages) {
      if (text.includes(name) && nameIn(name).test(text)) named.add(name);
    }
  }
  for (const name of folder.subdirs) {
    if (!SKIPPED.has(name)) collectNamed(folder.dir(name), tree, packages, named);
  }
}

/** In any form: import, import(), require.resolve, jest.mock, a tsconfig's types. */
function nameIn(name: string): RegExp {
  return new RegExp(`(['"\`])${name}(?:\\/[^'"\`\\n]*)?\\1`);
}
