import type { DirEntry, Tree } from '@angular-devkit/schematics';
import type { Manifest } from './manifest.ts';

const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage', 'tmp']);
const SOURCE = /\.[cm]?[jt]sx?$/;
const EXPRESS = /(?:from|import|require\()\s*['"]express(?:\/[^'"]*)?['"]/;

/**
 * Removes Express and its types from package.json where nothing in the workspace imports them.
 *
 * @returns What was removed.
 */
export function removeUnusedExpress(tree: Tree, manifest: Manifest): string[] {
  if (!manifest.has('express') || importsExpress(tree.root, tree)) return [];
  return ['express', '@types/express'].filter((name) => manifest.removeDependency(name));
}

function importsExpress(folder: DirEntry, tree: Tree): boolean {
  const inFiles = folder.subfiles.some((name) => {
    if (!SOURCE.test(name)) return false;
    const text = tree.read(`${folder.path}/${name}`)?.toString() ?? '';
    return text.includes('express') && EXPRESS.test(text);
  });
  return (
    inFiles ||
    folder.subdirs.some(
      (name) =>
        !SKIPPED.has(name) && !name.startsWith('.') && importsExpress(folder.dir(name), tree),
    )
  );
}
