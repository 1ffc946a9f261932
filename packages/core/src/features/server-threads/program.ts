import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { SsrError } from '../../errors.ts';
import { type Entry, stampOf } from '../../threads/entry.ts';

/**
 * The program that was started, which server threads run as the main thread does: it is what calls `listen`.
 *
 * @throws SsrError `NG_SSR_THREAD_NOT_STARTED`
 */
export function findProgram(): Entry {
  const started = process.argv[1];
  try {
    // `node server` starts server.js.
    const file = realpathSync(createRequire(import.meta.url).resolve(started!));
    if (statSync(file).isFile()) return { url: pathToFileURL(file), stamp: stampOf(file) };
  } catch {
    // Not a file.
  }
  const message = `server threads have no program to run: process.argv[1] is ${String(started)}, which is not a file`;
  throw new SsrError('NG_SSR_THREAD_NOT_STARTED', message);
}
