/** The version to release: of the version plans where there are some, else that of the packages. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './changelog.mjs';

/** The files of the version plans that no release has used yet. */
export function pendingPlans(root) {
  const folder = join(root, '.nx/version-plans');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
}

/** @returns {{ version: string, notes: string | undefined }} without changing a file */
export async function nextVersion(root) {
  if (pendingPlans(root).length > 0) return applyPlans(root, { dryRun: true });
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));
  return { version, notes: notesOf(root, version) };
}

/** Runs version-plans.mjs; of its output only an error is shown. */
export async function applyPlans(root, { dryRun }) {
  const args = dryRun ? ['--dry-run'] : [];
  const child = fork(join(root, 'tools/release/version-plans.mjs'), args, {
    cwd: root,
    silent: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  let release;
  child.on('message', (message) => (release = message));
  const [code] = await once(child, 'close');
  if (code !== 0 || release === undefined)
    throw new Error(`nx release ended with ${code}:\n${output}`);
  return release;
}
