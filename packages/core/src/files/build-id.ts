import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server files that differ between builds: the code that renders, and the document it renders into. */
const NAMES = /\.(?:m?js|html|json)$/;

/**
 * The id of a build: a hash of the contents of its server folder and of the file names of its browser
 * folder, which carry hashes of their content. Equal on every machine that has the same build.
 *
 * @param browserFolder - The folder of the browser files; the server folder is beside it.
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
