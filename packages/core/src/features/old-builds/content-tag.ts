import { entityTag } from '#etag';
import { type FileState, readParts } from '../../files/file-part.ts';

const PART_BYTES = 1024 * 1024;

/** The tag of a file's content. It is made of the tags of its parts, so that no file need be in memory to be compared. */
export function contentTag(content: Uint8Array): string {
  const tags: string[] = [];
  for (let at = 0; at < content.byteLength; at += PART_BYTES) {
    tags.push(entityTag(content.subarray(at, at + PART_BYTES)));
  }
  return toTag(tags);
}

/**
 * The same of a file of any size, with the state it had.
 *
 * @throws Error with the code of node:fs; for a file that changes while it is read.
 */
export async function readContentTag(path: string): Promise<{ tag: string; state: FileState }> {
  const tags: string[] = [];
  const state = await readParts(path, PART_BYTES, (part) => tags.push(entityTag(part)));
  return { tag: toTag(tags), state };
}

function toTag(tags: readonly string[]): string {
  return tags.length === 1 ? tags[0]! : entityTag(tags.join(''));
}
