import { isKept } from '../../files/hashed-files.ts';

export interface ManifestFile {
  readonly bytes: number;
  /** That of `contentTag`. */
  readonly tag: string;
}

export const MANIFEST_FILE = 'build.json';

/** A larger one is none: 100,000 files take about ten million bytes. */
export const MOST_MANIFEST_BYTES: number = 32 * 1024 * 1024;

const FORMAT = 2;

/** The files of a build by their path below the browser folder, as text. */
export function writeManifest(files: ReadonlyMap<string, ManifestFile>): string {
  return `${JSON.stringify({ format: FORMAT, files: Object.fromEntries(files) })}\n`;
}

/**
 * Reads a manifest and checks all of it: its paths are read from the disk.
 *
 * @throws Error that says what is wrong.
 */
export function readManifest(text: string): ReadonlyMap<string, ManifestFile> {
  const { format, files } = toRecord(JSON.parse(text));
  if (format !== FORMAT) throw new Error(`its format is ${String(format)}, not ${FORMAT}`);
  return new Map(
    Object.entries(toRecord(files)).map(([path, value]) => {
      const { bytes, tag } = toRecord(value);
      const isFile = Number.isSafeInteger(bytes) && Number(bytes) >= 0 && typeof tag === 'string';
      if (!isFile || !isPlain(path))
        throw new Error(`${JSON.stringify(path)} is not a file of a build`);
      return [path, { bytes: Number(bytes), tag }];
    }),
  );
}

/** A path that leads to a file below the folder on every platform, with a hash in its name. */
function isPlain(path: string): boolean {
  const [root, ...segments] = path.split('/');
  const arePlain = segments.every((each) => each !== '' && each !== '.' && each !== '..');
  return root === '' && arePlain && !/[\\:\0]/.test(path) && isKept(path);
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('it is not a manifest');
  }
  return value as Record<string, unknown>;
}
