import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../environment.mjs';

/** The angular-eslint for each major version of Angular. */
const ESLINTS = { 21: '21.4.0', 22: '22.5.0' };

/** The Angular that the repository is on, which is installed: its packages of other patches do not install together. */
export const ANGULAR = JSON.parse(
  readFileSync(join(root, 'node_modules/@angular/core/package.json'), 'utf8'),
).version;

/** The repository's Angular, and the newest 21.2 of which all packages have the same patch. */
export const ANGULARS = [ANGULAR, '21.2.24'];

/**
 * What a workspace on a version of Angular is made of. `isWhole` is whether everything is checked there:
 * not on 21, whose deployments and `ng serve` come from the same code of ours. A registry that lacks
 * rollup for some platforms gives it no lock file that `npm ci` accepts, either.
 */
export function angularOf(version) {
  const [major] = version.split('.');
  return { version, major, eslint: ESLINTS[major], isWhole: major !== '21' };
}
