/**
 * `npm run release` shows what a release would do: the version, the entry of the changelog, the packages in
 * their order with files and sizes, and what is in its way. It changes nothing.
 *
 *     npm run release -- --prepare             applies the version plans: package.json, lock file, CHANGELOG.md
 *     npm run release -- --pack folder [--tag v1]
 *                                              packs for publish.mjs; refuses where something is in its way
 *     npm run release -- --publish [--tag v1]  packs and publishes
 *                                              with --no-provenance from another machine than CI, as npm asks for
 *                                              the first version of a package
 *     npm run release -- --notes               prints the changelog's entry of the present version
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packAll } from '../e2e/pack.mjs';
import { root } from '../environment.mjs';
import { applyPlans, nextVersion, pendingPlans } from './next-version.mjs';
import { obstacles } from './obstacles.mjs';
import { inPublishOrder } from './publish-order.mjs';
import { publishTarballs, writeList } from './tarballs.mjs';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    prepare: { type: 'boolean', default: false },
    pack: { type: 'string' },
    publish: { type: 'boolean', default: false },
    notes: { type: 'boolean', default: false },
    tag: { type: 'string' },
    provenance: { type: 'boolean', default: true },
  },
});

if (values.prepare) await prepare();
else if (values.notes) await printNotes();
else await release();

async function prepare() {
  if (pendingPlans(root).length === 0) {
    console.error('There is no version plan: nx release plan writes one to .nx/version-plans.');
    process.exit(1);
  }
  const { version, notes } = await applyPlans(root, { dryRun: false });
  console.log(`The packages are ${version} now. CHANGELOG.md begins with:\n\n${notes}\n`);
  console.log(`To release: commit this to main, then git tag v${version} and push the tag.`);
}

async function printNotes() {
  const { version, notes } = await nextVersion(root);
  if (notes === undefined) {
    console.error(`CHANGELOG.md has no entry for ${version}.`);
    process.exit(1);
  }
  console.log(notes);
}

async function release() {
  const { version, notes } = await nextVersion(root);
  const reasons = obstacles(root, version, values.tag);
  const isDone = values.publish || values.pack !== undefined;
  if (isDone && reasons.length > 0) {
    console.error(`Nothing is published:\n${listOf(reasons)}`);
    process.exit(1);
  }
  const folder = values.pack
    ? resolve(values.pack)
    : mkdtempSync(join(tmpdir(), 'ng-ssr-release-'));
  try {
    const packages = inPublishOrder(await packAll(folder));
    show(version, notes, packages);
    if (isDone) writeList(folder, packages);
    if (values.publish) process.exitCode = publishTarballs(folder, values);
    if (!isDone) showObstacles(reasons);
  } finally {
    if (values.pack === undefined) rmSync(folder, { recursive: true });
  }
}

function show(version, notes, packages) {
  const from = packages[0].manifest.version;
  console.log(from === version ? `version ${version}` : `version ${from} -> ${version}`);
  console.log(`\nchangelog\n${notes ?? '(no entry)'}\n\npackages, in this order`);
  for (const { manifest, files, size, unpackedSize } of packages) {
    const sizes = `${String(files.length).padStart(5)} files  ${kib(size)} packed  ${kib(unpackedSize)} unpacked`;
    console.log(`  ${manifest.name.padEnd(22)} ${sizes}`);
  }
}

function kib(bytes) {
  return `${(bytes / 1024).toFixed(0).padStart(5)} KiB`;
}

function showObstacles(reasons) {
  const found = reasons.length > 0 ? `\n${listOf(reasons)}` : ' nothing';
  console.log(`\nin the way of npm run release -- --publish:${found}`);
}

function listOf(reasons) {
  return reasons.map((reason) => `  - ${reason}`).join('\n');
}
