import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SsrError } from '../../errors.ts';
import { type Entry, stampOf } from '../../threads/entry.ts';

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

function toFile(
  path: string | undefined,
  kind: 'isFile' | 'isDirectory' = 'isFile',
): string | undefined {
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.[kind]() !== true) {
    return undefined;
  }
  return realpathSync(path);
}
