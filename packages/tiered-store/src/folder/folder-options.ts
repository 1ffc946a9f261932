import { resolve } from 'node:path';
import { check, group, option, type Option, wholeNumber, withDefault } from '@ng-ssr/core/store';

/** Options of `folderBodies()`. */
export interface FolderBodiesOptions {
  /** The folder, on a local disk. A missing one is created. Processes may share it. */
  readonly folder: string;
  /** Maximum size of all files, at least 64 MiB (67 108 864). The least recently used ones are removed first. */
  readonly maxBytes: number;
  /** How long a page waits for a file. At most about 400 with those of other stores of bodies. Default: 50. */
  readonly timeoutMs?: number | undefined;
}

/** Options with every default filled in. */
export type ResolvedFolderOptions = {
  readonly [name in keyof FolderBodiesOptions]-?: Exclude<FolderBodiesOptions[name], undefined>;
};

const FACTORY = 'folderBodies';
const ALLOWED = 'an object of options with folder and maxBytes';
const LEAST_BYTES = 64 * 1024 * 1024;
const MOST_TIMER_MS = 2 ** 31 - 1;

const maxBytes: Option<number> = (name, given) => {
  const isSize = Number.isSafeInteger(given) && Number(given) >= LEAST_BYTES;
  check(name, given, isSize, 'a whole number of bytes, at least 64 MiB, as in 20_000_000_000');
  return given as number;
};

const resolveGroup = group<ResolvedFolderOptions>(
  {
    folder: option<string>(isFolder, 'the path of a folder'),
    maxBytes,
    timeoutMs: withDefault(wholeNumber(1, MOST_TIMER_MS), 50),
  },
  ALLOWED,
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveFolderOptions(options: FolderBodiesOptions): ResolvedFolderOptions {
  check(`${FACTORY}()`, options, typeof options === 'object' && options !== null, ALLOWED);
  const resolved = resolveGroup(FACTORY, options);
  return { ...resolved, folder: resolve(resolved.folder) };
}

function isFolder(folder: unknown): boolean {
  return typeof folder === 'string' && folder !== '' && !folder.includes('\0');
}
