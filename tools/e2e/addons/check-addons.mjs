import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { missingFor, targets } from '../../../native/tools/targets.mjs';
import { referenceDigests } from '../../../native/test/reference-digests.ts';
import { env, root } from '../../environment.mjs';
import { run } from '../child-process.mjs';
import { requirementsOf } from './musl-libraries.mjs';
import { createRuntime, missingToRun } from './runtimes.mjs';

const PRINT_TAGS = join(import.meta.dirname, 'print-tags.mjs');
const REFERENCE = join(root, 'native/test/reference-digests.ts');
/** As README.md of the package says; Node's own programs for Linux need 2.28. */
const NEWEST_GLIBC = [2, 17];
const LIBRARIES = { glibc: ['libc.so.6'], musl: ['libc.so'] };

/**
 * Installs @ng-ssr/etag from its tarball and loads some of its prebuilt addons for Linux: in Node, in a Bun
 * that is linked with musl, and on the processor that this machine has not, in qemu.
 *
 * @param packed - The packages, as of `packAll`.
 * @param names - Of the targets of native/tools/targets.mjs.
 * @param place - A folder for the installation and for the runtimes.
 */
export async function checkAddons(packed, names, { place, check }) {
  const { tarball, files } = packed.find(({ manifest }) => manifest.name === '@ng-ssr/etag');
  const app = await installPackage(tarball, place);
  for (const target of names.map((name) => targets[name])) {
    await check(
      `prebuilt addon, ${target.name}: loaded, with the tags of the reference`,
      async () => {
        const missing = missingFor(target) ?? missingToRun(target);
        if (missing !== undefined) return skipped(missing);
        assert.ok(files.includes(target.file), `${target.file} is not in the package`);
        await checkRequirements(target, app);
        const runtime = await createRuntime(target, join(place, target.name));
        await checkLoaded(target, runtime, app);
        await checkChoice(target, app);
        return runtime.command.map((word) => word.replace(`${place}/`, '')).join(' ');
      },
    );
  }
}

/** As npm does it: the package and what it depends on, nothing else. */
async function installPackage(tarball, place) {
  const modules = join(place, 'app/node_modules');
  const etag = join(modules, '@ng-ssr/etag');
  mkdirSync(etag, { recursive: true });
  await run('tar', ['xzf', tarball, '-C', etag, '--strip-components=1'], {
    cwd: place,
    env: env(),
  });
  const loader = 'node_modules/node-gyp-build';
  cpSync(join(root, loader), join(modules, 'node-gyp-build'), { recursive: true });
  cpSync(PRINT_TAGS, join(place, 'app/print-tags.mjs'));
  return join(place, 'app');
}

/** The C library alone, and of glibc's functions none that is newer. */
async function checkRequirements({ file, libc }, app) {
  const { libraries, glibc } = await requirementsOf(join(app, 'node_modules/@ng-ssr/etag', file));
  assert.deepEqual(libraries, LIBRARIES[libc], `${file} needs other libraries`);
  const newer = glibc.filter((version) => {
    const [major, minor] = version.replace('GLIBC_', '').split('.').map(Number);
    return major > NEWEST_GLIBC[0] || minor > NEWEST_GLIBC[1];
  });
  assert.deepEqual(newer, [], `${file} needs a newer glibc`);
}

async function checkLoaded(target, runtime, app) {
  if (target.libc === 'musl') await loadIn(runtime, { LIBC: 'musl' }, target, app);
  // node-gyp-build takes this system, on which musl is a guest, for one with glibc.
  await loadIn(runtime, {}, target, app);
}

/** node-gyp-build's choice on a machine of the target: it knows Alpine by a file of its release. */
async function checkChoice({ arch: processor, libc, file }, app) {
  const program = `
    const fs = require('node:fs');
    const { existsSync } = fs;
    fs.existsSync = (path) => path === '/etc/alpine-release' ? ${libc === 'musl'} : existsSync(path);
    console.log(require('node-gyp-build').resolve('node_modules/@ng-ssr/etag'));`;
  const machine = env({
    npm_config_platform: 'linux',
    npm_config_arch: processor,
    LIBC: undefined,
  });
  const { output } = await run(process.execPath, ['-e', program], { cwd: app, env: machine });
  assert.equal(output.trim(), join(app, 'node_modules/@ng-ssr/etag', file));
}

async function loadIn({ command, variables }, more, target, app) {
  const [program, ...words] = command;
  const environment = env({ ...variables, ...more, NG_SSR_ETAG: 'native' });
  const args = [...words, 'print-tags.mjs', REFERENCE];
  const { output } = await run(program, args, { cwd: app, env: environment });
  const printed = JSON.parse(output.trim().split('\n').at(-1));
  assert.deepEqual(printed, {
    arch: target.arch,
    implementation: 'native',
    files: [target.file],
    tags: referenceDigests.map(([, digest]) => tagOf(digest)),
    text: printed.text,
  });
  assert.equal(printed.text, await twinTag('é€🌍 page'));
}

function tagOf(digest) {
  return `"${Buffer.from(digest, 'hex').toString('base64url')}"`;
}

async function twinTag(text) {
  const { entityTag } = await import('../../../native/dist/twin.js');
  return entityTag(text, { weak: true });
}

function skipped(reason) {
  if (platform() === 'linux' && process.env.CI === 'true') throw new Error(`In CI: ${reason}`);
  return `skipped: ${reason}`;
}
