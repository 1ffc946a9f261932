/**
 * Makes a checkout runnable on a machine that has git, npm and any Node from 20 on: dependencies
 * installed, and a Node that Angular accepts. Nothing here needs a dependency.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const bin = join(root, 'node_modules', '.bin');
const isWindows = process.platform === 'win32';

/** Installs what the lock file says when node_modules is missing or older than it. */
export function install() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log(
    'Installing dependencies (npm ci): node_modules is missing, or older than package-lock.json. This takes one to\n' +
      'several minutes. If you stop it, node_modules is incomplete: run npm ci again.',
  );
  runOrExit('npm', ['ci']);
}

/** Continues this very program under the Node that npm has brought, where the present one is too old. */
export async function ensureNode() {
  if (isSupported(process.versions.node)) return;
  const brought = join(bin, isWindows ? 'node.exe' : 'node');
  if (!existsSync(brought)) {
    console.error(
      `Angular 22 needs Node ^22.22.3, ^24.15 or 26 and later; this is ${process.version}, and npm has no ` +
        `newer Node for ${process.platform}-${process.arch}. Install Node 24 and run this again.`,
    );
    process.exit(1);
  }
  const child = spawn(brought, process.argv.slice(1), { stdio: 'inherit', env: env() });
  process.exit(await follow(child));
}

/**
 * Hands signals on to a child that stands for this program; resolves to the exit code. The shell that npm
 * runs scripts in keeps SIGTERM to itself and ends, so that is looked for.
 */
export function follow(child) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 200);
  watch.unref();
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** This environment with the project's own programs first on the path. */
export function env(extra = {}) {
  return { ...process.env, PATH: bin + delimiter + process.env.PATH, ...extra };
}

/** Runs a program and ends this one with its status when it fails. */
export function runOrExit(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: isWindows,
    env: env(),
    ...options,
  });
  if (error) console.error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** What Angular 22 declares in its `engines`. */
function isSupported(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  if (major === 24) return minor >= 15;
  return major >= 26;
}
