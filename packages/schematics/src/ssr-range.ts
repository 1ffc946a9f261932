import type { Tree } from '@angular-devkit/schematics';
import { installedBuilder } from './angular-version.ts';
import type { Manifest } from './manifest.ts';

const SSR = '@angular/ssr';

/**
 * Adds @angular/ssr in the minor version of the installed builder. Angular's schematic writes a caret of the CLI's
 * version, for which npm installs the newest minor beside an older builder of the lock file: pages then lose their
 * critical CSS. The builder's own caret has to go too: without the lock file, npm would take a newer builder, whose
 * peer refuses this @angular/ssr (ERESOLVE). `ng update` updates both.
 *
 * @param otherwise - The range where no installed builder shows its version.
 * @returns the changes of other packages, a phrase each.
 */
export function addSsr(tree: Tree, manifest: Manifest, otherwise: string): string[] {
  const builder = installedBuilder(tree, manifest);
  const range = builder === undefined ? otherwise : `~${builder.version}`;
  const isNew = manifest.addDependency(SSR, range);
  if (!isNew || builder?.range.startsWith('^') !== true) return [];
  builder.manifest.setRange(builder.name, range);
  return [`set ${builder.name} to "${range}", so that ${SSR} has the same minor version`];
}
