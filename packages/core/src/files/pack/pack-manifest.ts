import { ENCODINGS, type ContentEncoding } from '../../http/accept-encoding.ts';
import { DICTIONARY_ENCODINGS, type DictionaryEncoding } from '../../http/dictionary-encoding.ts';

/** One encoding of a file in the pack. */
export interface PackedEncoding {
  /** Its offset in the file of all encodings. */
  readonly at: number;
  readonly bytes: number;
  /** The ETag of the encoded bytes. */
  readonly tag: string;
}

/** A file of the browser folder when it was packed. */
export interface PackedFile {
  /** Below the browser folder, with `/` in front and between, not percent-encoded. */
  readonly path: string;
  readonly bytes: number;
  /** The ETag of its content. */
  readonly tag: string;
  /** Null where an encoding would save next to nothing; one that is missing has not been made. */
  readonly encodings: { readonly [encoding in ContentEncoding]?: PackedEncoding | null };
  /** Its encodings against files of earlier builds, if there are any. */
  readonly withDictionary?: readonly PackedWithDictionary[];
}

/** The encodings of a file against one dictionary. */
export interface PackedWithDictionary {
  /** The name of the dictionary, as in Available-Dictionary. */
  readonly dictionary: string;
  readonly encodings: { readonly [encoding in DictionaryEncoding]?: PackedEncoding };
}

/** The index of a pack. */
export interface PackManifest {
  /** The size of the file of all encodings. */
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
  const { path, bytes, tag, encodings, withDictionary = [] } = toRecord(value, 'a file');
  if (typeof path !== 'string') throw new Error(`a path is ${String(path)}`);
  const name = JSON.stringify(path);
  if (!isCount(bytes) || typeof tag !== 'string') throw new Error(`${name} has no size or tag`);
  const given = toRecord(encodings, `"encodings" of ${name}`);
  const read: { [encoding in ContentEncoding]?: PackedEncoding | null } = {};
  for (const encoding of ENCODINGS) {
    if (!Object.hasOwn(given, encoding)) continue;
    read[encoding] =
      given[encoding] === null
        ? null
        : readEncoding(given[encoding], `${encoding} of ${name}`, packBytes);
  }
  if (!Array.isArray(withDictionary)) throw new Error(`"withDictionary" of ${name} is not a list`);
  const others = withDictionary.map((each) => readWithDictionary(each, name, packBytes));
  return { path, bytes, tag, encodings: read, withDictionary: others };
}

/** A byte sequence of 32 bytes. */
const DICTIONARY_NAME = /^:[A-Za-z0-9+/]{43}=:$/;

function readWithDictionary(value: unknown, file: string, packBytes: number): PackedWithDictionary {
  const { dictionary, encodings } = toRecord(value, `a dictionary of ${file}`);
  if (typeof dictionary !== 'string' || !DICTIONARY_NAME.test(dictionary)) {
    throw new Error(`a dictionary of ${file} is ${String(dictionary)}`);
  }
  const given = toRecord(encodings, `"encodings" of ${dictionary} of ${file}`);
  const read: { [encoding in DictionaryEncoding]?: PackedEncoding } = {};
  for (const encoding of DICTIONARY_ENCODINGS) {
    if (!Object.hasOwn(given, encoding)) continue;
    read[encoding] = readEncoding(given[encoding], `${encoding} of ${file}`, packBytes);
  }
  return { dictionary, encodings: read };
}

function readEncoding(value: unknown, name: string, packBytes: number): PackedEncoding {
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
