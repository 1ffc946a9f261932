/**
 * Writes prebuilds/<platform>-<arch>/etag.<libc>.node, to be published with the package.
 *
 *   npm run prebuildify -w @ng-ssr/etag                            for the machine that it runs on
 *   npm run prebuildify -w @ng-ssr/etag -- --target linux-arm64,linux-x64-musl
 *
 * The targets are those of targets.mjs; `--target linux` stands for all of them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { nodeFirst, nodeHeaders } from './node-headers.mjs';
import { missingFor, targets } from './targets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const prebuildify = createRequire(import.meta.url).resolve('prebuildify/bin.js');

const { values } = parseArgs({ options: { target: { type: 'string' } } });
for (const target of chosenTargets(values.target)) prebuild(target);

/** Targets of targets.mjs; undefined for the machine that this runs on. */
function chosenTargets(given) {
  if (given === undefined) return [undefined];
  const names = given === 'linux' ? Object.keys(targets) : given.split(',');
  const unknown = names.find((name) => targets[name] === undefined);
  if (unknown !== undefined) {
    fail(`--target is "${given}"; allowed: linux, ${Object.keys(targets).join(', ')}`);
  }
  const missing = names.map((name) => missingFor(targets[name])).filter(Boolean);
  if (missing.length > 0) fail(missing.join('\n'));
  return names.map((name) => targets[name]);
}

/** In a folder of its own, inside the package so that binding.gyp finds xxHash: build/ stays this machine's. */
function prebuild(target) {
  const folder = mkdtempSync(join(root, 'build-'));
  try {
    for (const path of ['package.json', 'binding.gyp', 'src/cpp']) {
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    const args = ['--napi', '--strip', '--tag-libc', '--name=etag', `--out=${root}`];
    if (target !== undefined) args.push('--platform=linux', `--arch=${target.arch}`);
    const env = { ...nodeFirst(), ...headers(), ...compilers(target) };
    const inputs = { cwd: folder, stdio: 'inherit', env };
    const { status } = spawnSync(process.execPath, [prebuildify, ...args], inputs);
    if (status !== 0) process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function headers() {
  const found = nodeHeaders();
  return found === undefined ? {} : { npm_config_nodedir: found };
}

function compilers(target) {
  if (target === undefined) return {};
  const { cc, cxx, strip, libc } = target;
  return { CC: cc, CXX: cxx, LINK: cxx, PREBUILD_STRIP_BIN: strip, PREBUILD_LIBC: libc };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
