import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { SsrError } from '../../errors.ts';
import type { Arena } from '../arena.ts';
import type { BuiltFile } from '../read-folder.ts';

/**
 * The content of a file that was listed, in the room of an arena: it is to be kept there before the next is read. One
 * that has grown, or finds no room, is in memory of its own.
 *
 * @throws SsrError `NG_SSR_INDEX_FAILED`, for example for a file deleted since the folder was listed.
 */
export function readContent({ absolutePath, sizeBytes }: BuiltFile, arena: Arena): Buffer {
  try {
    const room = arena.room(sizeBytes + 1);
    const bytes = room.byteLength > sizeBytes ? readInto(room, absolutePath) : undefined;
    return bytes ?? readFileSync(absolutePath);
  } catch (cause) {
    throw new SsrError('NG_SSR_INDEX_FAILED', `${absolutePath} cannot be read`, { cause });
  }
}

/** @returns undefined if there is more than fits. */
function readInto(room: Buffer, path: string): Buffer | undefined {
  const descriptor = openSync(path, 'r');
  try {
    let end = 0;
    for (let read = 1; read > 0 && end < room.byteLength; end += read) {
      read = readSync(descriptor, room, end, room.byteLength - end, null);
    }
    return end < room.byteLength ? room.subarray(0, end) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
