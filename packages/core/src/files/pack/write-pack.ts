import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SsrError } from '../../errors.ts';
import type { MadePack } from './make-pack.ts';
import { ENCODINGS_FILE, MANIFEST_FILE } from './pack-folder.ts';
import { writeManifest } from './pack-manifest.ts';

/**
 * Writes a pack into its folder, in place of an earlier one.
 *
 * @throws SsrError `NG_SSR_PACK_FAILED`
 */
export async function writePack(folder: string, { manifest, encodings }: MadePack): Promise<void> {
  const index = join(folder, MANIFEST_FILE);
  try {
    await mkdir(folder, { recursive: true });
    // The manifest goes first and comes last: a write that is cut off leaves no pack.
    await rm(index, { force: true });
    await pipeline(Readable.from(encodings), createWriteStream(join(folder, ENCODINGS_FILE)));
    await writeFile(index, writeManifest(manifest));
  } catch (cause) {
    const { message } = cause as Error;
    throw new SsrError('NG_SSR_PACK_FAILED', `${folder} cannot be written: ${message}`, { cause });
  }
}
