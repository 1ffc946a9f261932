import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll } from 'vitest';
import type { Engine } from './example-server.ts';

const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Copies a build for the time of a spec, with the encodings of each file beside it, as some deployments
 * bring them. A server makes none then, which would keep it busy for its first three seconds.
 *
 * @returns the copy's folder, for `startExample`.
 */
export function encodedBuild(engine: Engine): string {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-build-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(import.meta.dirname, '../dist', engine), folder, { recursive: true });
  const browser = join(folder, 'browser');
  for (const path of globSync('**/*', { cwd: browser }).map((path) => join(browser, path))) {
    if (!statSync(path).isFile()) continue;
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content, QUICK));
    writeFileSync(`${path}.gz`, gzipSync(content));
    writeFileSync(`${path}.zst`, zstdCompressSync(content));
  }
  return folder;
}
