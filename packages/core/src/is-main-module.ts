import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { serverThread } from './server-thread.ts';

/**
 * Whether a module is the started program, so that it should listen. False under `ng serve`, while `ng build` reads the
 * routes, and in worker threads, except those of `withServerThreads()`. True under PM2, and for every module
 * of a program that Bun compiled.
 *
 * @param url - The module's `import.meta.url`.
 */
export function isMainModule(url: string): boolean {
  const mayListen = isMainThread || serverThread !== undefined;
  if (!mayListen || !url.startsWith('file:')) return false;
  // PM2 runs a program from a module of its own.
  const { pm_id: isUnderPm2, pm_exec_path: program } = process.env;
  if (isUnderPm2 !== undefined && program === undefined) return true;
  const started = isUnderPm2 === undefined ? process.argv[1] : program;
  if (started === undefined) return false;
  const path = fileURLToPath(url);
  // A compiled program's path does not exist in the file system.
  if (started === path) return true;
  try {
    return realpathSync(resolveProgram(started, url)) === realpathSync(path);
  } catch {
    return false;
  }
}

/**
 * The file that Node starts for a path, which may lack its extension or name a folder: resolved as CommonJS.
 */
function resolveProgram(started: string, url: string): string {
  return createRequire(url).resolve(started);
}
