import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What tells one build from another: the code that renders, and the document it renders into. */
const NAMES = /\.(?:m?js|html|json)$/;

/**
 * An id of what the build has made: that of its server folder, and of the browser folder's names,
 * which carry the hashes of their content. Equal on every machine that has the same build.
 *
 * @param browserFolder - Where the browser files are; the server folder is beside it.
 */
export function toBuildId(browserFolder: string | undefined): string {
  const hash = createHash('sha256');
  if (browserFolder !== undefined) {
    for (const name of list(browserFolder)) hash.update(`${name}\n`);
    const serverFolder = join(browserFolder, '../server');
    for (const name of list(serverFolder).filter((file) => NAMES.test(file))) {
      hash.update(`${name}\n`).update(readFileSync(join(serverFolder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function list(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .sort();
}
