import type { Tree } from '@angular-devkit/schematics';
import { Manifest } from './manifest.ts';

/** The program that builds and generates in a workspace: the Angular CLI, or Nx with its own targets. */
export type Cli = 'ng' | 'nx';

/** The one to name in messages. */
export function cliOf(tree: Tree): Cli {
  const hasNx = tree.exists('/nx.json') && tree.exists('/package.json');
  return hasNx && new Manifest(tree, '/package.json').has('@nx/angular') ? 'nx' : 'ng';
}

/** The Angular CLI formats what schematics write with the workspace's Prettier, and Nx does not. */
export function staysUnformatted(tree: Tree): boolean {
  return cliOf(tree) === 'nx' && new Manifest(tree, '/package.json').has('prettier');
}
