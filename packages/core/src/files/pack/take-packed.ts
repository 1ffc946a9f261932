import { entityTag } from '#etag';
import { DICTIONARY_CODINGS } from '../../http/dictionary-coding.ts';
import { type Codable, type CodableContent, type CodingJob, gzipFirst } from '../make-codings.ts';
import type { Pack } from './pack.ts';
import type { PackedCoding, PackedFile } from './pack-manifest.ts';

/** What is left to do after codings were taken from a pack. */
export interface Taken {
  /** The codings that are still to be made. */
  readonly jobs: readonly CodingJob[];
  /** Files that are new, or have changed since they were packed. */
  readonly stale: readonly Codable[];
  /** Files with a coding whose bytes in the pack are not those that were packed. */
  readonly damaged: readonly Codable[];
  /** Files that have no coding because none fits into memory. */
  readonly dropped: readonly Codable[];
}

/** A file that is the same as when it was packed. */
interface Unchanged extends Pick<CodableContent, 'add' | 'addWith'> {
  readonly packed: PackedFile;
}

/**
 * Gives files the codings that a pack has of them, and compares all bytes with their entity tags.
 *
 * @param claim - Claims memory; a coding that gets none is dropped.
 */
export function takePacked(
  pack: Pack,
  jobs: readonly CodingJob[],
  claim: (bytes: number) => boolean,
): Taken {
  const left: CodingJob[] = [];
  const damaged = new Set<Codable>();
  const coded = new Set<Codable>();
  const dropped = new Set<Codable>();
  const files = [...new Set(jobs.map(({ file }) => file))];
  const unchanged = new Map<Codable, Unchanged>();
  for (const file of files) {
    const packed = ifUnchanged(file, pack.files.get(file.path));
    if (packed !== undefined) unchanged.set(file, packed);
  }

  for (const job of gzipFirst(jobs)) {
    const { file, coding } = job;
    const { packed, add } = unchanged.get(file) ?? {};
    const place = packed?.codings[coding];
    if (place === null) continue;
    if (place === undefined || add === undefined) {
      left.push(job);
      continue;
    }
    const bytes = readWhole(pack, place);
    if (bytes === undefined) {
      damaged.add(file);
      left.push(job);
    } else if (claim(bytes.byteLength)) {
      add(coding, bytes);
      coded.add(file);
    } else {
      dropped.add(file);
    }
  }
  for (const [file, each] of unchanged) {
    if (!takeWithDictionary(pack, each, claim)) damaged.add(file);
  }
  return {
    jobs: left,
    stale: files.filter((file) => !unchanged.has(file)),
    damaged: [...damaged],
    dropped: [...dropped].filter((file) => !coded.has(file)),
  };
}

/** @returns false if bytes in the pack are not those that were packed. */
function takeWithDictionary(
  pack: Pack,
  { packed, addWith }: Unchanged,
  claim: (bytes: number) => boolean,
): boolean {
  let isWhole = true;
  if (addWith === undefined) return isWhole;
  for (const { dictionary, codings } of packed.withDictionary ?? []) {
    for (const coding of DICTIONARY_CODINGS) {
      const place = codings[coding];
      const bytes = place && readWhole(pack, place);
      if (bytes !== undefined && claim(bytes.byteLength)) addWith(dictionary, coding, bytes);
      isWhole &&= place === undefined || bytes !== undefined;
    }
  }
  return isWhole;
}

/** Keeps no content of a file: those that are not held would all be in memory at once. */
function ifUnchanged(file: Codable, packed: PackedFile | undefined): Unchanged | undefined {
  if (packed === undefined || packed.bytes !== file.sizeBytes) return undefined;
  const content = file.readNow();
  if (content === undefined || entityTag(content.body) !== packed.tag) return undefined;
  return { packed, add: content.add, addWith: content.addWith };
}

/** @returns undefined for bytes that cannot be read, or are not those that were packed. */
function readWhole(pack: Pack, { at, bytes, tag }: PackedCoding): Uint8Array | undefined {
  try {
    const coded = pack.read(at, bytes);
    return entityTag(coded) === tag ? coded : undefined;
  } catch {
    return undefined;
  }
}
