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
  if (found !== undefined && isAboveBrowserFolder(found)) throw isAbove(found);
  if (found !== undefined || !folders.some(isServerFolder)) return found;
  const places =
    given === undefined ? folders.filter(isServerFolder).flatMap(browserFoldersOf) : [given];
  throw new SsrError(
    'NG_SSR_BROWSER_FOLDER_MISSING',
    `the browser files of the build are missing: there is no ${places.join(' and no ')}. Deploy the folders browser ` +
      'and server of the build together, or set files.folder (to an empty folder to serve no files)',
  );
}

/** `dist/shop/server` has `dist/shop/browser`; in a localized build `server/sv` has `browser/sv`. */
function browserFoldersOf(server: string): string[] {
  return [join(server, '../browser'), join(server, '../../browser', basename(server))];
}

/** The output path of a build: its server bundle must not be served. */
function isAboveBrowserFolder(folder: string): boolean {
  const has = (name: string): boolean => existsSync(join(folder, name));
  return has('browser') && has('server') && !has('index.html') && !has('index.csr.html');
}

function isAbove(folder: string): SsrError {
  const message = `files.folder is ${JSON.stringify(folder)}, which has the folders browser and server. Did you mean ${JSON.stringify(join(folder, 'browser'))}?`;
  return new SsrError('NG_SSR_BROWSER_FOLDER_MISSING', message);
}

function isServerFolder(folder: string): boolean {
  return OF_SERVER_BUNDLES.some((name) => existsSync(join(folder, name)));
}
