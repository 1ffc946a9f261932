import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/**
 * Whether a module is the program that was started, and so should listen: false under `ng serve`,
 * while `ng build` reads the routes, and in a worker thread. True under the process manager PM2.
 *
 * @param url - The module's `import.meta.url`.
 */
export function isMain(url: string): boolean {
  if (!isMainThread || !url.startsWith('file:')) return false;
  if (process.env['pm_id'] !== undefined) return true;
  const started = process.argv[1];
  if (started === undefined) return false;
  try {
    return realpathSync(started) === realpathSync(fileURLToPath(url));
  } catch {
    return false;
  }
}
