import type { Tree } from '@angular-devkit/schematics';
import { JSONFile } from '@schematics/angular/utility/json-file';

/** The commands of a package manager in messages. */
interface PackageCommands {
  readonly install: string;
  readonly add: string;
  readonly remove: string;
}

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const COMMANDS: Readonly<Record<PackageManager, PackageCommands>> = {
  npm: { install: 'npm install', add: 'npm install', remove: 'npm uninstall' },
  pnpm: { install: 'pnpm install', add: 'pnpm add', remove: 'pnpm remove' },
  yarn: { install: 'yarn install', add: 'yarn add', remove: 'yarn remove' },
  bun: { install: 'bun install', add: 'bun add', remove: 'bun remove' },
};

const LOCKS: Readonly<Record<string, PackageManager>> = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
};

/** The commands of the workspace's package manager. */
export function packageCommands(tree: Tree): PackageCommands {
  return COMMANDS[packageManagerOf(tree) ?? 'npm'];
}

const INSTALL_GUIDE =
  'https://github.com/ng-ssr/ng-ssr/blob/main/docs/start/ng-add.md#npm-install-has-failed';

/** The step that comes after a change of package.json: schematics end before the packages are installed. */
export function installLine(tree: Tree, skipInstall: boolean | undefined): string {
  const { install } = packageCommands(tree);
  return skipInstall === true
    ? `  Next: ${install}.`
    : `  Not finished: ${install} runs now. The server works after it succeeds. If it fails: ${INSTALL_GUIDE}`;
}

/** The lock file of a package manager, if it is here. */
export function lockFileOf(tree: Tree, manager: PackageManager): string | undefined {
  return Object.keys(LOCKS).find((name) => LOCKS[name] === manager && tree.exists(`/${name}`));
}

/** By the lock file here, else by settings: a workspace of packages has its lock file above this folder. */
export function packageManagerOf(tree: Tree): PackageManager | undefined {
  const lock = Object.keys(LOCKS).find((name) => tree.exists(`/${name}`));
  if (lock !== undefined) return LOCKS[lock];
  const set = textAt(tree, '/angular.json', ['cli', 'packageManager']);
  // As `pnpm@10.34.9`.
  const name = set ?? textAt(tree, '/package.json', ['packageManager'])?.split('@', 1)[0];
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? (name as PackageManager) : undefined;
}

function textAt(tree: Tree, file: string, path: string[]): string | undefined {
  const value = tree.exists(file) ? new JSONFile(tree, file).get(path) : undefined;
  return typeof value === 'string' ? value : undefined;
}
