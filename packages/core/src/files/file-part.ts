import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { StreamedContent } from '../exchange.ts';

/** The chunk size of node:fs streams. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A FIFO in place of the file must not block a thread. A link in its place may lead out of the folder: paths are
 * those that links in the folder lead to. Windows does not have these flags.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

const NO_BYTES = Buffer.alloc(0);

/** The state of a file, to detect changes. */
export interface FileState {
  readonly sizeBytes: number;
  /** In milliseconds, with fractions where the file system has them. */
  readonly modifiedMs: number;
  readonly inode: number;
}

/**
 * Opens a file and reads its state from the descriptor. The caller closes the handle.
 *
 * @throws Error with the code of node:fs; `ENOENT` if the path is not a regular file.
 */
async function openFile(path: string): Promise<{ handle: FileHandle; state: FileState }> {
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw noFile(path);
    return { handle, state: toState(stats) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * The state of a file, which must be readable.
 *
 * @throws Error with the code of node:fs, as {@link openFile}.
 */
export async function readFileState(path: string): Promise<FileState> {
  const { handle, state } = await openFile(path);
  await handle.close();
  return state;
}

/**
 * As {@link readFileState}, for a file whose content was compared in the state `compared`.
 *
 * @throws Error with the code `ENOENT` if it cannot be read, or has another state.
 */
export async function readComparedState(path: string, compared: FileState): Promise<FileState> {
  const state = await readFileState(path).catch(() => undefined);
  if (state === undefined || !isSameState(state, compared)) throw noFile(path);
  return state;
}

/** The complete content of a file, with the state it had. */
export interface WholeFile {
  readonly body: Buffer;
  readonly state: FileState;
}

/**
 * The complete content of a file, with its state.
 *
 * @throws Error with the code of node:fs, as {@link openFile}; for a file of more than `maxBytes`, and
 * for one that changes while it is read.
 */
export async function readWholeFile(path: string, maxBytes: number): Promise<WholeFile> {
  const { handle, state } = await openFile(path);
  try {
    if (state.sizeBytes > maxBytes) throw new Error(`${path} has grown beyond ${maxBytes} bytes`);
    // A file of /proc says that it is empty, and may have no end.
    const body = state.sizeBytes === 0 ? NO_BYTES : await handle.readFile();
    const isSame = isSameState(state, toState(await handle.stat()));
    if (!isSame || body.byteLength !== state.sizeBytes) throw changedError(path);
    return { body, state };
  } finally {
    await handle.close();
  }
}

/**
 * Reads a file of any size in parts of `partBytes`; the last one may be shorter.
 *
 * @param onPart - Called with memory that the next part overwrites.
 * @returns the state that the file had.
 * @throws Error as {@link readWholeFile}.
 */
export async function readParts(
  path: string,
  partBytes: number,
  onPart: (part: Uint8Array) => void,
): Promise<FileState> {
  const { handle, state } = await openFile(path);
  try {
    const { sizeBytes } = state;
    const part = Buffer.allocUnsafeSlow(Math.min(partBytes, sizeBytes));
    for (let at = 0, filled = 0; at < sizeBytes;) {
      const wanted = Math.min(part.byteLength - filled, sizeBytes - at);
      const { bytesRead } = await handle.read(part, filled, wanted, at);
      if (bytesRead === 0) throw changedError(path);
      at += bytesRead;
      filled += bytesRead;
      if (filled < part.byteLength && at < sizeBytes) continue;
      onPart(part.subarray(0, filled));
      filled = 0;
    }
    if (!isSameState(state, toState(await handle.stat()))) throw changedError(path);
    return state;
  } finally {
    await handle.close();
  }
}

/**
 * As {@link readWholeFile}, at once.
 *
 * @throws Error as there.
 */
export function readWholeFileNow(path: string, maxBytes: number): WholeFile {
  const descriptor = openSync(path, FLAGS);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw noFile(path);
    const state = toState(stats);
    if (state.sizeBytes > maxBytes) throw new Error(`${path} has grown beyond ${maxBytes} bytes`);
    const body = state.sizeBytes === 0 ? NO_BYTES : readFileSync(descriptor);
    const isSame = isSameState(state, toState(fstatSync(descriptor)));
    if (!isSame || body.byteLength !== state.sizeBytes) throw changedError(path);
    return { body, state };
  } finally {
    closeSync(descriptor);
  }
}

function noFile(path: string): Error {
  return Object.assign(new Error(`${path} is no longer a file`), { code: 'ENOENT' });
}

function changedError(path: string): Error {
  return new Error(`${path} changed while it was read`);
}

function toState({ size, mtimeMs, ino }: Stats): FileState {
  return { sizeBytes: size, modifiedMs: mtimeMs, inode: ino };
}

/** Whether two states are equal: the content is then assumed to be the same. */
export function isSameState(a: FileState, b: FileState): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedMs === b.modifiedMs && a.inode === b.inode;
}

/**
 * The descriptor is open from the first `read` to the end of the content, an error or `close`, so that
 * an answer which is never sent holds none.
 */
export class FilePart implements StreamedContent {
  readonly path: string;
  /** Its offset in the file. */
  readonly first: number;
  readonly lengthBytes: number;
  /** The state from which the answer's headers were made. */
  readonly state: FileState;
  readonly #onError: (cause: unknown) => void;
  #position: number;
  #opened: Promise<FileHandle> | undefined;
  #closed: Promise<void> | undefined;

  /**
   * @param content.state - The state from which the answer's headers were made: a different one is an error.
   * @param content.onError - Called with the error when `read` rejects.
   */
  constructor(content: {
    readonly path: string;
    readonly first: number;
    readonly lengthBytes: number;
    readonly state: FileState;
    readonly onError: (cause: unknown) => void;
  }) {
    this.path = content.path;
    this.first = content.first;
    this.lengthBytes = content.lengthBytes;
    this.state = content.state;
    this.#onError = content.onError;
    this.#position = content.first;
  }

  async read(): Promise<Uint8Array | undefined> {
    const leftBytes = this.first + this.lengthBytes - this.#position;
    if (this.#closed !== undefined || leftBytes === 0) return undefined;
    try {
      const handle = await (this.#opened ??= this.#open());
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, leftBytes));
      const { bytesRead } = await handle.read(chunk, 0, chunk.byteLength, this.#position);
      if (bytesRead === 0) throw new Error(`${this.path} became shorter while it was sent`);
      this.#position += bytesRead;
      if (bytesRead === leftBytes) await this.close();
      return chunk.subarray(0, bytesRead);
    } catch (cause) {
      // Closed while reading: nothing reads these bytes.
      if (this.#closed !== undefined) return undefined;
      await this.close();
      this.#onError(cause);
      throw cause;
    }
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    // `read` has reported an open that failed.
    const handle = await this.#opened?.catch(() => undefined);
    await handle?.close();
  }

  async #open(): Promise<FileHandle> {
    const { handle, state } = await openFile(this.path);
    if (isSameState(state, this.state)) return handle;
    await handle.close();
    throw new Error(`${this.path} changed while it was sent`);
  }
}
