import { join } from 'node:path';
import {
  type BuildManifest,
  makeManifest,
  MANIFEST_ENCODINGS,
  MANIFEST_MODULE,
  toBuildId,
  writeManifestModule,
  toLogLine,
} from '@ng-ssr/core/pack';
import { wrongArguments } from '../wrong-arguments.ts';
import { print } from '../terminal/print.ts';

/** Larger files are named only: a platform sends them itself, without running the program. */
export const DEFAULT_INLINE_BYTES: number = 64 * 1024;
/** Of one page. */
const MOST_PAGE_BYTES = 512 * 1024;
/** Of all contents: a Worker of Cloudflare may have 3 MB, and 10 MB where it is paid for. */
const MOST_INLINED_BYTES = 2 * 1024 * 1024;

/**
 * The part of `ng-ssr pack --manifest` after the encodings are made: writes the manifest of the build.
 *
 * @param packFolder - Where it is written.
 * @param inlineBytes - The size up to which a file's content is in it.
 * @returns a line for people.
 */
export async function packManifest(
  browserFolder: string,
  packFolder: string,
  inlineBytes: number,
): Promise<string> {
  const manifest = await makeManifest(
    browserFolder,
    toBuildId(browserFolder),
    {
      maxFileBytes: inlineBytes,
      maxPageBytes: Math.max(inlineBytes, MOST_PAGE_BYTES),
      maxBytes: MOST_INLINED_BYTES,
      encodings: MANIFEST_ENCODINGS,
    },
    (notice) => print(`${toLogLine(notice)}\n`, process.stderr),
  );
  const bytes = await writeManifestModule(packFolder, manifest);
  return summaryOf(manifest, join(packFolder, MANIFEST_MODULE), bytes);
}

function summaryOf({ inlined, assets }: BuildManifest, file: string, bytes: number): string {
  const left = assets.length === 0 ? '' : `, ${assets.length} are left to the platform`;
  return `Manifest ${file}: ${bytes} bytes with the content of ${inlined.length} files${left}`;
}

/** @throws SsrError `NG_SSR_COMMAND_INVALID` */
export function readInlineBytes(text: string | undefined): number {
  if (text === undefined) return DEFAULT_INLINE_BYTES;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongArguments(`--inline is ${JSON.stringify(text)}; allowed: a whole number of bytes`);
}
