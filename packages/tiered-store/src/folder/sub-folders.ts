import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The end of the name of a file that is being written. */
export const TEMPORARY = '.tmp';

/** How many there are. Names begin with a digest, which spreads bodies evenly. */
const COUNT = 256;
/** What a file takes of a disk. */
const BLOCK_BYTES = 4096;
/** No file may fill a sub folder. */
const SHARE_OF_FILE = 1 / 4;
// In parts of what a sub folder may have. Other processes may write meanwhile, each as much as this one.
const UNCHECKED = 1 / 32;
const HIGH = 7 / 8;
const LOW = 3 / 4;
/** A writer that was killed leaves its file. None takes as long. */
const ABANDONED_MS = 60_000;
/** Calls at a time: half of the threads that Node has for files stay free. */
const AT_ONCE = 2;

interface File {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/**
 * Keeps each sub folder of bodies within its part of `maxBytes`, so that all together are: a cleaning reads one of them.
 * Processes share nothing but the files. Each cleans what it has written to, from time to time.
 */
export class SubFolders {
  readonly #maxBytes: number;
  /** Larger files are not kept. */
  readonly maxFileBytes: number;
  /** Bytes written since the last cleaning of a sub folder by this process. */
  readonly #written = new Map<string, number>();
  /** One cleaning at a time: reads of pages use the same threads. */
  #cleaning: Promise<void> = Promise.resolve();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes / COUNT;
    const most = this.#maxBytes * SHARE_OF_FILE;
    this.maxFileBytes = most - (most % BLOCK_BYTES);
  }

  /** Notes a new file, and cleans its sub folder when it is time. */
  async added(subFolder: string, bytes: number): Promise<void> {
    const most = this.#maxBytes * UNCHECKED;
    // Processes begin anywhere: they do not clean at the same time, nor all sub folders at their start, and those that are
    // often restarted clean too.
    const written = (this.#written.get(subFolder) ?? Math.random() * most) + onDisk(bytes);
    this.#written.set(subFolder, written < most ? written : 0);
    if (written < most) return;
    const cleaning = this.#cleaning.then(() => this.#clean(subFolder));
    this.#cleaning = cleaning.catch(() => undefined);
    await cleaning;
  }

  async #clean(subFolder: string): Promise<void> {
    const names = await readdir(subFolder);
    const files: File[] = [];
    await each(names, async (name) => {
      const path = join(subFolder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found?.isFile()) return;
      const isAbandoned = name.endsWith(TEMPORARY) && Date.now() - found.mtimeMs > ABANDONED_MS;
      if (isAbandoned) await rm(path, { force: true });
      else files.push({ path, bytes: onDisk(found.size), usedMs: found.mtimeMs });
    });
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes <= this.#maxBytes * HIGH) return;
    files.sort((one, other) => one.usedMs - other.usedMs);
    const removed: string[] = [];
    for (const file of files) {
      if (bytes <= this.#maxBytes * LOW) break;
      bytes -= file.bytes;
      removed.push(file.path);
    }
    await each(removed, (path) => rm(path, { force: true }));
  }
}

function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

async function each(
  items: readonly string[],
  work: (item: string) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
