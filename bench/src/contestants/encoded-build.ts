import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const zstd = promisify(zlib.zstdCompress);

const COMPRESSIBLE = /\.(?:html|js|css|svg|json|txt|ico)$/;

/**
 * Copies a build of the example and puts the encoded files beside the originals, once per build, so
 * that a dozen servers do not each spend the first seconds of a scenario on making the same ones.
 * Peers that send such files (sirv, nginx) have them too.
 *
 * @returns the folder of the copy.
 * @throws Error when the example is not built.
 */
export async function codeBuild(from: string, to: string): Promise<string> {
  const program = join(from, 'server/server.mjs');
  if (!existsSync(program)) {
    throw new Error('the example is not built: run "npm run build" first');
  }
  const marker = join(to, 'complete');
  const builtAt = String(statSync(program).mtimeMs);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === builtAt) return to;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  const browser = join(to, 'browser');
  for (const entry of await readdir(browser, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const level = { [zlib.constants.ZSTD_c_compressionLevel]: 17 };
    await writeFile(`${path}.br`, await brotli(bytes));
    await writeFile(`${path}.gz`, await gzip(bytes, { level: 9 }));
    await writeFile(`${path}.zst`, await zstd(bytes, { params: level }));
  }
  writeFileSync(marker, builtAt);
  return to;
}
