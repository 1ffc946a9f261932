import { existsSync, readdirSync } from 'node:fs';
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
  const meant = found === undefined ? undefined : meantFolder(found);
  if (meant !== undefined) throw hasServer(found!, meant);
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

/** The browser folder of a build, if a folder is that of its server bundle, or above it: the bundle must not be served. */
function meantFolder(folder: string): string | undefined {
  const has = (...names: string[]): boolean => existsSync(join(folder, ...names));
  if (has('index.html') || has('index.csr.html')) return undefined;
  const outputs = [isServerFolder(folder) ? '..' : '.', ...foldersIn(folder)];
  const built = outputs.find((output) => has(output, 'browser') && has(output, 'server'));
  return built && join(folder, built, 'browser');
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Reading its files says why.
    return [];
  }
}

function hasServer(folder: string, meant: string): SsrError {
  const message = `files.folder is ${JSON.stringify(folder)}, which has the server bundle. Did you mean ${JSON.stringify(meant)}?`;
  return new SsrError('NG_SSR_BROWSER_FOLDER_MISSING', message);
}

function isServerFolder(folder: string): boolean {
  return OF_SERVER_BUNDLES.some((name) => existsSync(join(folder, name)));
}
