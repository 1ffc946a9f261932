import { assertKnownOptions, check, checkCount, isOptionObject } from '../check-option.ts';
import { CODINGS, type ContentCoding } from '../http/accept-encoding.ts';
import { checkCodings } from '../http/check-codings.ts';
import { findBrowserFolder } from './browser-folder.ts';

/** Options for the files that the build made. */
export interface FilesOptions {
  /**
   * The folder with the built browser files. Default: `../browser` beside the server bundle;
   * `../../browser/<locale>` in a localized build.
   */
  readonly folder?: string | undefined;
  /** Larger files are not held in memory but streamed from disk. In bytes; default 1 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Bounds the memory of all files held, their codings included. In bytes; default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The content codings of files, taken from a packed build or made after start. Default: br, zstd, gzip;
   * `[]` for none.
   */
  readonly encodings?: readonly ContentCoding[] | undefined;
  /**
   * The Cache-Control of a file, by its path below the folder (`/main-5INURTSO.js`); undefined for the default.
   * Default: a year for hashed names, `no-cache` for HTML, and for other files `public, max-age=0, must-revalidate`,
   * which Angular's HttpClient accepts into its transfer cache.
   */
  readonly cacheControl?: ((path: string) => string | undefined) | undefined;
}

/** Files options with every default filled in. */
export interface ResolvedFilesOptions {
  /** Undefined without a build on disk, as under `ng serve`. */
  readonly folder: string | undefined;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  readonly encodings: readonly ContentCoding[];
  readonly cacheControl: ((path: string) => string | undefined) | undefined;
}

const NAMES: readonly string[] = [
  'folder',
  'maxFileBytes',
  'maxBytes',
  'encodings',
  'cacheControl',
] satisfies readonly (keyof FilesOptions)[];

const MIB = 1024 * 1024;

/**
 * @param folderOfEngine - The folder that the engine names, if it does; asked without the option `files.folder`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`
 */
export function resolveFilesOptions(
  options: FilesOptions = {},
  folderOfEngine?: () => string | undefined,
): ResolvedFilesOptions {
  check('files', options, isOptionObject(options), 'an object of options');
  assertKnownOptions(options, NAMES, 'files');
  const { folder, maxFileBytes = MIB, maxBytes = 64 * MIB, cacheControl } = options;
  const { encodings = CODINGS } = options;
  const isPath = folder === undefined || (typeof folder === 'string' && folder !== '');
  check('files.folder', folder, isPath, 'a path as a string');
  checkCount('files.maxFileBytes', maxFileBytes, 0, 'bytes');
  checkCount('files.maxBytes', maxBytes, 0, 'bytes');
  checkCodings('files.encodings', encodings);
  const isFunction = cacheControl === undefined || typeof cacheControl === 'function';
  const allowed = 'a function (path) => string | undefined';
  check('files.cacheControl', cacheControl, isFunction, allowed);
  const found = findBrowserFolder(folder ?? folderOfEngine?.());
  return { folder: found, maxFileBytes, maxBytes, encodings, cacheControl };
}
