/** What a release must not be published with. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { publicPackages } from '../e2e/pack.mjs';
import { notesOf } from './changelog.mjs';
import { pendingPlans } from './next-version.mjs';
import { missingPrebuilds } from './prebuilds.mjs';

/**
 * Each reason not to publish, in one line with its remedy; none where all is ready.
 *
 * @param {string} version - The version to publish.
 * @param {string | undefined} tag - The tag that has started the release.
 */
export function obstacles(root, version, tag) {
  const plans = pendingPlans(root);
  const unbuilt = publicPackages()
    .map(({ folder }) => join(folder, 'dist'))
    .filter((folder) => !existsSync(folder))
    .map((folder) => relative(root, folder));
  const prebuilds = missingPrebuilds(root);
  return [
    [
      git(root, 'status', '--porcelain') !== '',
      'The working tree has changes: commit or stash them.',
    ],
    [!isOnMain(root), 'HEAD is not a commit of origin/main: publish from main, after git fetch.'],
    [
      plans.length > 0,
      `Version plans wait (${plans.join(', ')}): npm run release -- --prepare, and commit.`,
    ],
    [tag !== undefined && tag !== `v${version}`, `The tag is ${tag}, the packages are ${version}.`],
    [notesOf(root, version) === undefined, `CHANGELOG.md has no entry for ${version}.`],
    [unbuilt.length > 0, `Not built (${unbuilt.join(', ')}): npm run build.`],
    [
      prebuilds.length > 0,
      `native/prebuilds lacks ${prebuilds.join(', ')}: download those of the workflow prebuilds.`,
    ],
  ]
    .filter(([holds]) => holds)
    .map(([, reason]) => reason);
}

function isOnMain(root) {
  return git(root, 'merge-base', '--is-ancestor', 'HEAD', 'origin/main') !== undefined;
}

/** @returns {string | undefined} the output, or undefined where git fails */
function git(root, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
