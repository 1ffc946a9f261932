import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. The option `recursive` of `mkdirSync` does the same, and never returns where a
 * folder refuses new ones with ENOENT, as `/proc` does.
 *
 * @throws Error with the code of node:fs.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') {
      // Some systems refuse before they see that it is there.
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
      throw error;
    }
    const above = dirname(folder);
    const isMissing = statSync(above, { throwIfNoEntry: false }) === undefined;
    if (above === folder || !isMissing) throw error;
    makeFolder(above);
    makeLast(folder);
  }
}

/** Another process may make it meanwhile. */
function makeLast(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
