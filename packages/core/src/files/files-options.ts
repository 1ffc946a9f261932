import { ENCODINGS, type ContentEncoding } from '../http/accept-encoding.ts';
import { encodings } from '../http/encodings.ts';
import { callable, count, text } from '../options/option-values.ts';
import { group, type Option, optional, withDefault } from '../options/option.ts';
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
  /** Bounds the memory of all files held, their encodings included. In bytes; default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The content encodings of files, taken from a packed build or made after start. Default: br, zstd, gzip;
   * `[]` for none.
   */
  readonly encodings?: readonly ContentEncoding[] | undefined;
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
  readonly encodings: readonly ContentEncoding[];
  readonly cacheControl: ((path: string) => string | undefined) | undefined;
}

const MIB = 1024 * 1024;

const filesOptions: Option<ResolvedFilesOptions> = group(
  {
    folder: optional(text(/./s, 'a path as a string')),
    maxFileBytes: withDefault(count(0, 'bytes'), MIB),
    maxBytes: withDefault(count(0, 'bytes'), 64 * MIB),
    encodings: withDefault(encodings, ENCODINGS),
    cacheControl: optional(
      callable<(path: string) => string | undefined>('a function (path) => string | undefined'),
    ),
  },
  'an object of options',
);

/**
 * @param folderOfEngine - The folder that the engine names, if it does; asked without the option `files.folder`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`
 */
export function resolveFilesOptions(
  given: FilesOptions = {},
  folderOfEngine?: () => string | undefined,
): ResolvedFilesOptions {
  const checked = filesOptions('files', given);
  return { ...checked, folder: findBrowserFolder(checked.folder ?? folderOfEngine?.()) };
}
