import { CODINGS, type ContentCoding } from '../../http/accept-encoding.ts';
import { DICTIONARY_CODINGS, type DictionaryCoding } from '../../http/dictionary-coding.ts';

/** One coding of a file in the pack. */
export interface PackedCoding {
  /** Its offset in the file of all codings. */
  readonly at: number;
  readonly bytes: number;
  /** The entity tag of the coded bytes. */
  readonly tag: string;
}

/** A file of the browser folder when it was packed. */
export interface PackedFile {
  /** Below the browser folder, with `/` in front and between, not percent-encoded. */
  readonly path: string;
  readonly bytes: number;
  /** The entity tag of its content. */
  readonly tag: string;
  /** Null where a coding would save next to nothing; one that is missing has not been made. */
  readonly codings: { readonly [coding in ContentCoding]?: PackedCoding | null };
  /** Its codings against files of earlier builds, if there are any. */
  readonly withDictionary?: readonly PackedWithDictionary[];
}

/** The codings of a file against one dictionary. */
export interface PackedWithDictionary {
  /** The name of the dictionary, as in Available-Dictionary. */
  readonly dictionary: string;
  readonly codings: { readonly [coding in DictionaryCoding]?: PackedCoding };
}

/** The index of a pack. */
export interface PackManifest {
  /** The size of the file of all codings. */
  readonly bytes: number;
  readonly files: readonly PackedFile[];
}

/** Servers use no pack of another format: change it with the meaning of any field. */
const FORMAT = 2;

/** The manifest as text, a line for each file; equal manifests have equal texts. */
export function writeManifest({ bytes, files }: PackManifest): string {
  const lines = files.map((file) => JSON.stringify(file));
  return `{"format":${FORMAT},"bytes":${bytes},"files":[\n${lines.join(',\n')}\n]}\n`;
}

/**
 * Reads a manifest and checks all of it. Its paths name files that are known already: nothing is read from
 * the places that they name.
 *
 * @throws Error that says what is wrong.
 */
export function readManifest(text: string): PackManifest {
  const { format, bytes, files } = toRecord(JSON.parse(text), 'the manifest');
  if (format !== FORMAT) {
    throw new Error(`its format is ${String(format)}, and this version of ng-ssr reads ${FORMAT}`);
  }
  if (!isCount(bytes)) throw new Error(`"bytes" is ${String(bytes)}`);
  if (!Array.isArray(files)) throw new Error('"files" is not a list');
  const read = files.map((file) => readFile(file, bytes));
  const paths = new Set(read.map(({ path }) => path));
  if (paths.size !== read.length) throw new Error('a path is in it twice');
  return { bytes, files: read };
}

function readFile(value: unknown, packBytes: number): PackedFile {
  const { path, bytes, tag, codings, withDictionary = [] } = toRecord(value, 'a file');
  if (typeof path !== 'string') throw new Error(`a path is ${String(path)}`);
  const name = JSON.stringify(path);
  if (!isCount(bytes) || typeof tag !== 'string') throw new Error(`${name} has no size or tag`);
  const given = toRecord(codings, `"codings" of ${name}`);
  const read: { [coding in ContentCoding]?: PackedCoding | null } = {};
  for (const coding of CODINGS) {
    if (!Object.hasOwn(given, coding)) continue;
    read[coding] =
      given[coding] === null ? null : readCoding(given[coding], `${coding} of ${name}`, packBytes);
  }
  if (!Array.isArray(withDictionary)) throw new Error(`"withDictionary" of ${name} is not a list`);
  const others = withDictionary.map((each) => readWithDictionary(each, name, packBytes));
  return { path, bytes, tag, codings: read, withDictionary: others };
}

/** A byte sequence of 32 bytes. */
const DICTIONARY_NAME = /^:[A-Za-z0-9+/]{43}=:$/;

function readWithDictionary(value: unknown, file: string, packBytes: number): PackedWithDictionary {
  const { dictionary, codings } = toRecord(value, `a dictionary of ${file}`);
  if (typeof dictionary !== 'string' || !DICTIONARY_NAME.test(dictionary)) {
    throw new Error(`a dictionary of ${file} is ${String(dictionary)}`);
  }
  const given = toRecord(codings, `"codings" of ${dictionary} of ${file}`);
  const read: { [coding in DictionaryCoding]?: PackedCoding } = {};
  for (const coding of DICTIONARY_CODINGS) {
    if (!Object.hasOwn(given, coding)) continue;
    read[coding] = readCoding(given[coding], `${coding} of ${file}`, packBytes);
  }
  return { dictionary, codings: read };
}

function readCoding(value: unknown, name: string, packBytes: number): PackedCoding {
  const { at, bytes, tag } = toRecord(value, name);
  if (typeof tag !== 'string') throw new Error(`${name} has no tag`);
  if (!isCount(at) || !isCount(bytes) || bytes === 0 || at + bytes > packBytes) {
    throw new Error(`${name} is outside of the pack: ${String(bytes)} bytes at ${String(at)}`);
  }
  return { at, bytes, tag };
}

function toRecord(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${name} is not an object`);
  }
  return value as Record<string, unknown>;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
