import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BodyStore } from '../body-store.ts';
import { type FolderBodiesOptions, resolveFolderOptions } from './folder-options.ts';
import { SubFolders, TEMPORARY } from './sub-folders.ts';

// Without the flag, opening a pipe that has no writer blocks one of the threads that read files. Windows does not have it.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** A use is noted as the time of the file, if that is older. */
const USE_MS = 60_000;

/**
 * Bodies of pages in files on a local disk, for `tieredPageStore()`. Processes may share the folder. It is a cache: it may
 * be deleted at any time.
 *
 * @param options - Times in milliseconds, sizes in bytes.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * bodies: [folderBodies({ folder: '/var/cache/shop', maxBytes: 20_000_000_000 })]
 * ```
 */
export function folderBodies(options: FolderBodiesOptions): BodyStore {
  const { folder, maxBytes, timeoutMs } = resolveFolderOptions(options);
  return new FolderBodies(folder, maxBytes, timeoutMs);
}

class FolderBodies implements BodyStore {
  readonly name: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly #folder: string;
  readonly #subFolders: SubFolders;

  constructor(folder: string, maxBytes: number, timeoutMs: number) {
    this.name = `in the folder ${folder}`;
    this.timeoutMs = timeoutMs;
    this.#folder = folder;
    this.#subFolders = new SubFolders(maxBytes);
    this.maxBodyBytes = this.#subFolders.maxFileBytes;
  }

  async get(name: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const file = await openFile(join(this.#folder, name));
    if (file === undefined) return undefined;
    try {
      const found = await file.stat();
      const { size, mtimeMs } = found;
      if (!found.isFile() || size > maxBytes) return undefined;
      const bytes = await readWhole(file, size);
      const now = new Date();
      // Also one of a clock that was ahead. A disk that is only read notes no use.
      if (Math.abs(now.getTime() - mtimeMs) > USE_MS) await file.utimes(now, now).catch(ignore);
      return bytes;
    } finally {
      await file.close();
    }
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const path = join(this.#folder, name);
    const subFolder = dirname(path);
    if (bytes.byteLength > this.maxBodyBytes) return;
    const temporary = join(subFolder, `${basename(name)}.${randomUUID()}${TEMPORARY}`);
    const write = (): Promise<void> =>
      writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, signal });
    try {
      await write().catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        await mkdir(subFolder, { recursive: true, mode: 0o700 });
        await write();
      });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(ignore);
      throw error;
    }
    await this.#subFolders.added(subFolder, bytes.byteLength);
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, READ);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A file does not change: it is replaced. One that is shorter than it says has been cut by another program. */
async function readWhole(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await file.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function ignore(): void {}
