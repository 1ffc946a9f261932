/**
 * Applies the version plans of `.nx/version-plans` with nx release: to every package.json, the lock file
 * and CHANGELOG.md. With `--dry-run` it changes nothing. Sends the new version and the entry of the
 * changelog to the program that has forked it.
 */
import { parseArgs } from 'node:util';
import nxRelease from 'nx/release/index.js';
import { root } from '../environment.mjs';
import { putTitleFirst } from './changelog.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const dryRun = values['dry-run'];

const { workspaceVersion, projectsVersionData, releaseGraph } = await nxRelease.releaseVersion({
  dryRun,
});
const { workspaceChangelog } = await nxRelease.releaseChangelog({
  dryRun,
  version: workspaceVersion,
  versionData: projectsVersionData,
  releaseGraph,
});
if (!dryRun) await putTitleFirst(root);
process.send?.({ version: workspaceVersion, notes: workspaceChangelog.contents });
