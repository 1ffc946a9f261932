import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SsrError } from '../../errors.ts';
import type { BuildManifest } from './build-manifest.ts';

/** The module of a manifest, beside the pack. */
export const MANIFEST_MODULE = 'build-manifest.mjs';

/**
 * Writes a manifest as a module with the export `manifest`.
 *
 * @returns its length in bytes.
 * @throws SsrError `NG_SSR_PACK_FAILED`
 */
export async function writeManifestModule(
  folder: string,
  manifest: BuildManifest,
): Promise<number> {
  const file = join(folder, MANIFEST_MODULE);
  const module = `export const manifest = ${JSON.stringify(manifest)};\n`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, module);
  } catch (cause) {
    const { message } = cause as Error;
    throw new SsrError('NG_SSR_PACK_FAILED', `${file} cannot be written: ${message}`, { cause });
  }
  return Buffer.byteLength(module);
}
