/**
 * The tarballs of a release, in a folder with a list of them. One job packs them, and another, which may publish but
 * installs nothing, reads the list: so this module and publish.mjs need Node and npm only.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const LIST = 'packages.json';

/** Writes the list of packages, which is the order in which they are published. */
export function writeList(folder, packages) {
  const list = packages.map(({ manifest: { name, version }, tarball }) => {
    return { name, version, file: basename(tarball), integrity: integrityOf(tarball) };
  });
  writeFileSync(join(folder, LIST), `${JSON.stringify(list, undefined, 2)}\n`);
}

/**
 * Publishes the tarballs of a folder. What is published already is left out: a run may be repeated.
 *
 * @param {string | undefined} tag - The tag that has started the release.
 * @param {boolean} provenance - npm makes one in CI alone.
 * @returns {number} the exit code
 */
export function publishTarballs(folder, { tag, provenance }) {
  const packages = JSON.parse(readFileSync(join(folder, LIST), 'utf8'));
  const reasons = packages.flatMap((one) => reasonAgainst(folder, one, tag));
  if (reasons.length > 0) {
    console.error(`Nothing is published:\n${reasons.map((one) => `  - ${one}`).join('\n')}`);
    return 1;
  }
  for (const { name, version, file } of packages) {
    if (isPublished(name, version)) {
      console.log(`${name}@${version} is published already.`);
      continue;
    }
    const distTag = version.includes('-') ? 'next' : 'latest';
    const path = join(folder, file);
    const args = ['publish', path, '--access', 'public', '--ignore-scripts', '--tag', distTag];
    const { status } = npm([...args, `--provenance=${provenance}`], 'inherit');
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

function reasonAgainst(folder, { name, version, file, integrity }, tag) {
  if (tag !== undefined && tag !== `v${version}`) {
    return [`The tag is ${tag}, and ${name} is ${version}.`];
  }
  if (integrity === integrityOf(join(folder, file))) return [];
  return [`${file} is not the tarball that was packed: its integrity differs from ${LIST}.`];
}

function integrityOf(path) {
  return `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;
}

function isPublished(name, version) {
  const { status, stdout } = npm(['view', `${name}@${version}`, 'version'], 'pipe');
  return status === 0 && stdout.trim() === version;
}

function npm(args, stdio) {
  const shell = process.platform === 'win32';
  return spawnSync('npm', args, { encoding: 'utf8', stdio, shell });
}
