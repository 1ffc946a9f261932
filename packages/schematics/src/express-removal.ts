import type { DirEntry, Tree } from '@angular-devkit/schematics';
import type { Manifest } from './manifest.ts';

/** What others write: packages, builds, reports and caches. */
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'tmp', '.git', '.angular', '.nx']);
const SOURCE = /\.[cm]?[jt]sx?$|^tsconfig.*\.json$/;
/** However it is named: import, import(), require.resolve, jest.mock, a tsconfig's types. */
const EXPRESS = /(['"`])express(?:\/[^'"`\n]*)?\1/;

/**
 * Removes Express and its types from package.json where nothing in the workspace names them.
 *
 * @returns What was removed.
 */
export function removeUnusedExpress(tree: Tree, manifest: Manifest): string[] {
  if (!manifest.has('express') || namesExpress(tree.root, tree)) return [];
  return ['express', '@types/express'].filter((name) => manifest.removeDependency(name));
}

function namesExpress(folder: DirEntry, tree: Tree): boolean {
  const inFiles = folder.subfiles.some((name) => {
    if (!SOURCE.test(name)) return false;
    const text = tree.read(`${folder.path}/${name}`)?.toString() ?? '';
    return text.includes('express') && EXPRESS.test(text);
  });
  return (
    inFiles ||
    folder.subdirs.some((name) => !SKIPPED.has(name) && namesExpress(folder.dir(name), tree))
  );
}
