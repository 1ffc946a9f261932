import { TESTED_ANGULARS } from '../../packages/engines/src/tested-angulars.ts';
import { run } from '../e2e/child-process.mjs';
import { childEnv } from '../e2e/workspace.mjs';
import { root } from '../environment.mjs';

/** Every version of the matrix, oldest first. */
export const VERSIONS = [...new Set(TESTED_ANGULARS.flat())];

export const ENGINES = ['app', 'common'];
/** With zone.js the gallery is made of NgModules. */
export const ZONES = ['zone.js', 'zoneless'];

/** Each engine with each kind of change detection. */
export const VARIANTS = ENGINES.flatMap((engine) => ZONES.map((zone) => ({ engine, zone })));

/** What CI builds: two versions, each engine, and each kind of change detection. */
export const QUICK = [
  { version: VERSIONS[0], variants: [{ engine: 'common', zone: 'zone.js' }] },
  { version: VERSIONS.at(-1), variants: [{ engine: 'app', zone: 'zoneless' }] },
];

/** The newest prerelease of a major that is not in the matrix, for information. */
export async function newestPrerelease() {
  const args = ['view', '@angular/core', 'versions', '--json'];
  const { output } = await run('npm', args, { cwd: root, env: childEnv });
  const newest = Number.parseInt(VERSIONS.at(-1));
  return JSON.parse(output).findLast((version) => Number.parseInt(version) > newest);
}
