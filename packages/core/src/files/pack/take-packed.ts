import { entityTag } from '#etag';
import { DICTIONARY_ENCODINGS } from '../../http/dictionary-encoding.ts';
import {
  type Encodable,
  type EncodableContent,
  type EncodingJob,
  gzipFirst,
} from '../make-encodings.ts';
import type { Pack } from './pack.ts';
import type { PackedEncoding, PackedFile } from './pack-manifest.ts';

/** What is left to do after encodings were taken from a pack. */
export interface Taken {
  /** The encodings that are still to be made. */
  readonly jobs: readonly EncodingJob[];
  /** Files that are new, or have changed since they were packed. */
  readonly stale: readonly Encodable[];
  /** Files with an encoding whose bytes in the pack are not those that were packed. */
  readonly damaged: readonly Encodable[];
  /** Files that have no encoding because none fits into memory. */
  readonly dropped: readonly Encodable[];
}

/** A file that is the same as when it was packed. */
interface Unchanged extends Pick<EncodableContent, 'add' | 'addWith'> {
  readonly packed: PackedFile;
}

/**
 * Gives files the encodings that a pack has of them, and compares all bytes with their ETags.
 *
 * @param claim - Claims memory; an encoding that gets none is dropped.
 */
export function takePacked(
  pack: Pack,
  jobs: readonly EncodingJob[],
  claim: (bytes: number) => boolean,
): Taken {
  const left: EncodingJob[] = [];
  const damaged = new Set<Encodable>();
  const encoded = new Set<Encodable>();
  const dropped = new Set<Encodable>();
  const files = [...new Set(jobs.map(({ file }) => file))];
  const unchanged = new Map<Encodable, Unchanged>();
  for (const file of files) {
    const packed = ifUnchanged(file, pack.files.get(file.path));
    if (packed !== undefined) unchanged.set(file, packed);
  }

  for (const job of gzipFirst(jobs)) {
    const { file, encoding } = job;
    const { packed, add } = unchanged.get(file) ?? {};
    const place = packed?.encodings[encoding];
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
      pack.keep(bytes);
      add(encoding, bytes);
      encoded.add(file);
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
    dropped: [...dropped].filter((file) => !encoded.has(file)),
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
  for (const { dictionary, encodings } of packed.withDictionary ?? []) {
    for (const encoding of DICTIONARY_ENCODINGS) {
      const place = encodings[encoding];
      const bytes = place && readWhole(pack, place);
      if (bytes !== undefined && claim(bytes.byteLength)) {
        pack.keep(bytes);
        addWith(dictionary, encoding, bytes);
      }
      isWhole &&= place === undefined || bytes !== undefined;
    }
  }
  return isWhole;
}

/** Keeps no content of a file: those that are not held would all be in memory at once. */
function ifUnchanged(file: Encodable, packed: PackedFile | undefined): Unchanged | undefined {
  if (packed === undefined || packed.bytes !== file.sizeBytes) return undefined;
  const content = file.readNow();
  if (content === undefined || entityTag(content.body) !== packed.tag) return undefined;
  return { packed, add: content.add, addWith: content.addWith };
}

/** @returns undefined for bytes that cannot be read, or are not those that were packed. */
function readWhole(pack: Pack, { at, bytes, tag }: PackedEncoding): Uint8Array | undefined {
  try {
    const encoded = pack.read(at, bytes);
    return entityTag(encoded) === tag ? encoded : undefined;
  } catch {
    return undefined;
  }
}
