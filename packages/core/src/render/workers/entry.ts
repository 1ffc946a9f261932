import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SsrError } from '../../errors.ts';

/** The program that threads run. */
export interface Entry {
  readonly url: URL;
  /** Changes when another build replaces the file. */
  readonly stamp: string;
}

/**
 * Finds the program that creates the handler. A bundle has no files of its own for threads, so they run the
 * bundle itself: the program that was started or, if that only imports the bundle, the `server.mjs` that this
 * module was bundled into.
 *
 * @throws SsrError `NG_SSR_WORKER_NOT_STARTED`
 */
export function findEntry(): Entry {
  const here = dirname(fileURLToPath(import.meta.url));
  const started = toFile(process.argv[1]);
  const isBundled = started !== undefined && dirname(started) === toFile(here, 'isDirectory');
  const entry = isBundled ? started : (toFile(join(here, 'server.mjs')) ?? started);
  if (entry === undefined) {
    throw new SsrError(
      'NG_SSR_WORKER_NOT_STARTED',
      `render threads have no program to run: ${here} has no server.mjs, and the started ` +
        `program (process.argv[1] is ${String(process.argv[1])}) is not a file`,
    );
  }
  return { url: pathToFileURL(entry), stamp: stampOf(entry) };
}

/**
 * @throws SsrError `NG_SSR_WORKER_NOT_STARTED` when the file has changed since the start: pages of two builds
 * must not be mixed.
 */
export function assertUnchanged({ url, stamp }: Entry): void {
  const file = fileURLToPath(url);
  if (stampOf(file) === stamp) return;
  const message = `${file} has changed since this program was started: restart it`;
  throw new SsrError('NG_SSR_WORKER_NOT_STARTED', message);
}

/** Changes when another build replaces the file. */
export function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.mtimeMs}-${stats?.size}`;
}

function toFile(
  path: string | undefined,
  kind: 'isFile' | 'isDirectory' = 'isFile',
): string | undefined {
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.[kind]() !== true) {
    return undefined;
  }
  return realpathSync(path);
}
