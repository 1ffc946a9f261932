import { ENCODINGS, type ContentEncoding } from '../http/accept-encoding.ts';
import { encodings } from '../http/encodings.ts';
import { callable, count, text } from '../options/option-values.ts';
import { group, type Option, optional, withDefault } from '../options/option.ts';
import { findBrowserFolder } from './browser-folder.ts';

/** Options for the built browser files. */
export interface FilesOptions {
  /** The browser folder. Default: `../browser` beside the server bundle, or `../../browser/<locale>`. */
  readonly folder?: string | undefined;
  /** Larger files are streamed from disk. Default: 1 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Memory for files with their encodings. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Encodings from a packed build, or made after start; `[]` turns it off. Default: br, zstd, gzip. */
  readonly encodings?: readonly ContentEncoding[] | undefined;
  /**
   * Returns the Cache-Control of a path, or undefined for the default. Default: one year for hashed names, `no-cache`
   * for HTML, else `public, max-age=0, must-revalidate`.
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
