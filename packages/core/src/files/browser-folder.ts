import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SsrError } from '../errors.ts';

/** Files that the Angular CLI writes beside each server bundle, and `ng serve` keeps in memory. */
const OF_SERVER_BUNDLES = ['index.server.html', 'angular-app-engine-manifest.mjs'];

/**
 * The folder of the built browser files: the given one, or the one beside the server bundle.
 *
 * @returns undefined if there is no build on disk, as under `ng serve`.
 * @throws SsrError `NG_SSR_BROWSER_FOLDER_MISSING` if a built server lacks it.
 */
export function findBrowserFolder(given: string | undefined): string | undefined {
  // If bundled, this module is in the server folder; otherwise the started program is.
  const programs = [fileURLToPath(import.meta.url), process.argv[1]];
  const folders = [...new Set(programs.filter((program) => program !== undefined).map(dirname))];
  const candidates = given === undefined ? folders.flatMap(browserFoldersOf) : [given];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined || !folders.some(isServerFolder)) return found;
  const places =
    given === undefined ? folders.filter(isServerFolder).flatMap(browserFoldersOf) : [given];
  throw new SsrError(
    'NG_SSR_BROWSER_FOLDER_MISSING',
    `the built browser files are missing: looked for ${places.join(' and ')}. Deploy the browser ` +
      'folder of the build together with its server folder, or set files.folder; with an empty ' +
      'folder no files are served',
  );
}

/** `dist/shop/server` has `dist/shop/browser`; in a localized build `server/sv` has `browser/sv`. */
function browserFoldersOf(server: string): string[] {
  return [join(server, '../browser'), join(server, '../../browser', basename(server))];
}

function isServerFolder(folder: string): boolean {
  return OF_SERVER_BUNDLES.some((name) => existsSync(join(folder, name)));
}
