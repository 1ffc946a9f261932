import { join } from 'node:path';

/** The root of the repository. */
export const root: string = join(import.meta.dirname, '../../..');
/** What the build of the site makes from the repository: read by `ng build`, not committed. */
export const generated: string = join(import.meta.dirname, '../generated');
/** Where readers find a file that has no page of its own. */
export const REPOSITORY_URL = 'https://github.com/ng-ssr/ng-ssr';
