import type { Tree } from '@angular-devkit/schematics';
import type { Manifest } from '../manifest.ts';
import {
  lockFileOf,
  type PackageManager,
  packageCommands,
  packageManagerOf,
} from '../package-manager.ts';
import type { Project } from '../project.ts';
import type { PackageInstall } from './deployment.ts';
import { shellWord } from './quoting.ts';

/** Settings that an installation reads, where a workspace has them. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml'];

/**
 * The commands that install what the lock file says. node_modules has to be flat: the image copies the addon by its
 * name.
 */
const INSTALLS: Readonly<Record<PackageManager, string>> = {
  npm: 'npm ci',
  pnpm: 'corepack enable && pnpm install --frozen-lockfile --config.node-linker=hoisted',
  yarn: 'corepack enable && yarn install --frozen-lockfile',
  bun: 'npm install --global bun && bun install --frozen-lockfile',
};
/** Yarn from version 2 on. */
const MODERN_YARN = 'corepack enable && YARN_NODE_LINKER=node-modules yarn install --immutable';

/** How an image installs the packages of an application. */
export function packageInstall(tree: Tree, manifest: Manifest): PackageInstall {
  const has = (name: string): boolean => tree.exists(`/${name}`);
  const manager = packageManagerOf(tree) ?? 'npm';
  const lock = lockFileOf(tree, manager);
  const isModernYarn = manager === 'yarn' && has('.yarnrc.yml');
  const install = isModernYarn ? MODERN_YARN : INSTALLS[manager];
  // The packages of a workspace have manifests of their own, which an installation reads.
  const isWorkspace =
    manifest.hasWorkspaces() || has('pnpm-workspace.yaml') || manifest.folder !== '/';
  const secrets = SETTINGS.filter((name) => has(name) && mayHoldToken(name, tree));
  const settings = SETTINGS.filter((name) => has(name) && !secrets.includes(name));
  const files = ['package.json', ...(lock === undefined ? [] : [lock]), ...settings];
  return {
    files: isWorkspace ? [] : files,
    secrets,
    install: lock === undefined && manager === 'npm' ? 'npm install' : install,
    add: packageCommands(tree).add,
  };
}

/** npm has its tokens in .npmrc, and people add them there later; other managers have them elsewhere by default. */
function mayHoldToken(name: string, tree: Tree): boolean {
  return name === '.npmrc' || /auth|token|password/i.test(tree.readText(`/${name}`));
}

/** The command that builds an application: its script, where that builds this one. */
export function buildCommand(
  tree: Tree,
  manifest: Manifest,
  { name, isOneOfSeveral, cli }: Project,
): string {
  const manager = packageManagerOf(tree) ?? 'npm';
  const hasScript = manifest.folder === '/' && manifest.script('build') !== undefined;
  if (hasScript && !isOneOfSeveral && cli === 'ng') return `${manager} run build`;
  return `npx ${cli} build${isOneOfSeveral || cli === 'nx' ? ` ${shellWord(name)}` : ''}`;
}
