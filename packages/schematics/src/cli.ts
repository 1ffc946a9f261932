import type { Tree } from '@angular-devkit/schematics';
import { Manifest } from './manifest.ts';

/** The program that builds and generates in a workspace: Nx has targets and generators of its own. */
export type Cli = 'ng' | 'nx';

/** The one to name in messages. */
export function cliOf(tree: Tree): Cli {
  const hasNx = tree.exists('/nx.json') && tree.exists('/package.json');
  return hasNx && new Manifest(tree, '/package.json').has('@nx/angular') ? 'nx' : 'ng';
}
