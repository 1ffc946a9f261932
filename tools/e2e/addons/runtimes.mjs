import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { env, root } from '../../environment.mjs';
import { run } from '../child-process.mjs';
import { createMuslRoot } from './musl-libraries.mjs';

const BUN_MACHINES = { x64: 'x64', arm64: 'aarch64' };
const QEMU_MACHINES = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * What this machine lacks to run a target, and the command that installs it; undefined for nothing.
 *
 * @param target - One of native/tools/targets.mjs.
 */
export function missingToRun(target) {
  if (target.arch === arch()) return undefined;
  const emulator = emulatorOf(target);
  const libraries = `/usr/${target.triple}-gnu/lib`;
  const folders = process.env.PATH.split(':');
  if (!folders.some((folder) => existsSync(join(folder, emulator)))) {
    return `${target.name} needs ${emulator}: apt-get install -y qemu-user`;
  }
  return existsSync(libraries) ? undefined : `${target.name} needs ${libraries}`;
}

/**
 * A JavaScript runtime of a target: Node for glibc and, since npm has no Node for it, Bun for musl. What runs
 * on another processor runs in qemu.
 *
 * @param place - A folder for what is fetched and made for it.
 * @returns The words of the command, and the variables of its environment.
 */
export async function createRuntime(target, place) {
  mkdirSync(place, { recursive: true });
  if (target.libc === 'glibc') {
    if (target.arch === arch()) return { command: [process.execPath], variables: {} };
    const folder = await fetchPackage(`node-linux-${target.arch}@${versionOf('node')}`, place);
    return emulated(target, `/usr/${target.triple}-gnu`, [join(folder, 'bin/node')], {});
  }
  const bun = `@oven/bun-linux-${BUN_MACHINES[target.arch]}-musl@${versionOf('bun')}`;
  const program = join(await fetchPackage(bun, place), 'bin/bun');
  const muslRoot = join(place, 'root');
  await createMuslRoot(target, program, muslRoot);
  const variables = { LD_LIBRARY_PATH: join(muslRoot, 'lib') };
  if (target.arch !== arch()) return emulated(target, muslRoot, [program], variables);
  return { command: [program], variables };
}

/** In qemu a program sees the files below `systemRoot` in the place of this system's. */
function emulated(target, systemRoot, command, variables) {
  const given = Object.entries(variables).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
  return { command: [emulatorOf(target), '-L', systemRoot, ...given, ...command], variables: {} };
}

function emulatorOf(target) {
  return `qemu-${QEMU_MACHINES[target.arch]}`;
}

/** A package's files, without the checks by which npm refuses what is for another machine. */
async function fetchPackage(spec, place) {
  const { output } = await run('npm', ['pack', spec, '--silent'], { cwd: place, env: env() });
  const archive = output.trim().split('\n').at(-1);
  await run('tar', ['xzf', archive], { cwd: place, env: env() });
  return join(place, 'package');
}

/** That of this project's own Node and Bun. */
function versionOf(runtime) {
  if (runtime === 'node') return process.versions.node;
  const manifest = join(root, 'node_modules/bun/package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
