import type { Tree } from '@angular-devkit/schematics';
import { JSONFile } from '@schematics/angular/utility/json-file';

/** The commands of a package manager in messages. */
interface PackageCommands {
  readonly add: string;
  readonly remove: string;
}

const COMMANDS: Readonly<Record<string, PackageCommands>> = {
  npm: { add: 'npm install', remove: 'npm uninstall' },
  pnpm: { add: 'pnpm add', remove: 'pnpm remove' },
  yarn: { add: 'yarn add', remove: 'yarn remove' },
  bun: { add: 'bun add', remove: 'bun remove' },
};

const LOCKS: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
};

/** The commands of the workspace's package manager. */
export function packageCommands(tree: Tree): PackageCommands {
  return COMMANDS[packageManagerOf(tree) ?? 'npm'] ?? COMMANDS['npm']!;
}

/** By the lock file here, else by settings: a workspace of packages has its lock file above this folder. */
function packageManagerOf(tree: Tree): string | undefined {
  const lock = Object.keys(LOCKS).find((name) => tree.exists(`/${name}`));
  if (lock !== undefined) return LOCKS[lock];
  const set = textAt(tree, '/angular.json', ['cli', 'packageManager']);
  // As `pnpm@10.34.9`.
  return set ?? textAt(tree, '/package.json', ['packageManager'])?.split('@', 1)[0];
}

function textAt(tree: Tree, file: string, path: string[]): string | undefined {
  const value = tree.exists(file) ? new JSONFile(tree, file).get(path) : undefined;
  return typeof value === 'string' ? value : undefined;
}
