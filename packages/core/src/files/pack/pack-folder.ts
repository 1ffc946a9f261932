import { basename, dirname, join, resolve } from 'node:path';

/** The folder of a pack, beside the browser folder, so that no server sends its files. */
export const PACK_FOLDER = 'ng-ssr';
/** The index of a pack. */
export const MANIFEST_FILE = 'pack.json';
/** All encodings, one after the other. */
export const ENCODINGS_FILE = 'pack.bin';

/** A folder that may have the pack of a browser folder. */
export interface PackPlace {
  readonly folder: string;
  /** The browser folder in the paths of the pack: `/sv` for a server of one locale, else empty. */
  readonly below: string;
}

/** Where the pack of a browser folder may be, the most likely place first. */
export function packPlaces(browserFolder: string): PackPlace[] {
  const folder = resolve(browserFolder);
  const above = dirname(folder);
  // The folder of a locale is one level deeper, and the pack has the files of all locales.
  return [
    { folder: join(above, PACK_FOLDER), below: '' },
    { folder: join(dirname(above), PACK_FOLDER), below: `/${basename(folder)}` },
  ];
}
