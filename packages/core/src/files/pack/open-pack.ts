import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../describe-error.ts';
import { SsrError } from '../../errors.ts';
import { Arena } from '../arena.ts';
import type { Pack } from './pack.ts';
import { ENCODINGS_FILE, MANIFEST_FILE, packPlaces } from './pack-folder.ts';
import { type PackedFile, readManifest } from './pack-manifest.ts';

/** A pack whose encodings are read from a file; that file is open until `close` is called. */
export interface OpenPack extends Pack {
  close(): void;
}

/**
 * Opens the pack that `ng-ssr pack` has written beside a browser folder.
 *
 * @returns undefined if there is none.
 * @throws SsrError `NG_SSR_PACK_INVALID` for one that is damaged, or of another format.
 */
export function openPack(browserFolder: string): OpenPack | undefined {
  for (const { folder, below } of packPlaces(browserFolder)) {
    const manifest = join(folder, MANIFEST_FILE);
    if (!existsSync(manifest)) continue;
    try {
      // Reading a FIFO would block.
      if (!statSync(manifest).isFile()) throw new Error('it is not a file');
      const { bytes, files } = readManifest(readFileSync(manifest, 'utf8'));
      const own = files.filter(({ path }) => path.startsWith(`${below}/`));
      if (own.length === 0 && below !== '') continue;
      return open(join(folder, ENCODINGS_FILE), bytes, byPath(own, below));
    } catch (cause) {
      const message = `${manifest} is not used, so the server compresses the files: ${messageOf(cause)}. Run ng-ssr pack again`;
      throw new SsrError('NG_SSR_PACK_INVALID', message, { cause });
    }
  }
  return undefined;
}

/** The files by their path below the folder of the locale. */
function byPath(files: readonly PackedFile[], below: string): Map<string, PackedFile> {
  return new Map(files.map((file) => [file.path.slice(below.length), file]));
}

function open(path: string, bytes: number, files: ReadonlyMap<string, PackedFile>): OpenPack {
  if (!statSync(path).isFile()) throw new Error(`${path} is not a file`);
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  if (size !== bytes) {
    closeSync(descriptor);
    throw new Error(`${path} has ${size} bytes, and the manifest says ${bytes}`);
  }
  // What no server takes of it takes no memory.
  const arena = new Arena(Buffer.allocUnsafeSlow(size).buffer);
  return {
    files,
    read: (at, length) => {
      const encoded = arena.room(length);
      const read = readSync(descriptor, encoded, { position: at });
      if (read !== length) throw new Error(`${path} became shorter while it was read`);
      return encoded;
    },
    keep: (encoded) => arena.keep(encoded),
    close: () => closeSync(descriptor),
  };
}
