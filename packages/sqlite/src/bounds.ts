/** The size of a page of the file. In bytes. */
export const PAGE_BYTES = 8192;

const MOST_LOG_BYTES = 16 * 1024 * 1024;
// The frames of a transaction beside its entry, and the index of the log.
const TRANSACTION_BYTES = 1024 * 1024 + 128 * 1024;
// For purges, leases and paths: they must be written though entries have no more room.
const RESERVED_PAGES = 128;
const BYTES_PER_PATH = 128;

/** What each of the files may take, so that all three stay below `maxBytes`. */
export interface Bounds {
  /** The log is emptied beyond this size, before the next write. */
  readonly maxLogBytes: number;
  /** Pages of the file; SQLite refuses to make it longer. */
  readonly maxPages: number;
  /** Pages of the file in use, beyond which entries are not stored. */
  readonly maxUsedPages: number;
  /** Pages in use, beyond which the entries used longest ago are dropped ... */
  readonly highPages: number;
  /** ... until no more than these are. */
  readonly lowPages: number;
  /** Paths that are known to have pages. */
  readonly maxPaths: number;
}

export function boundsOf(maxBytes: number, maxEntryBytes: number): Bounds {
  const maxLogBytes = Math.min(Math.floor(maxBytes / 8), MOST_LOG_BYTES);
  const fileBytes = maxBytes - maxLogBytes - Math.ceil(maxEntryBytes * 1.05) - TRANSACTION_BYTES;
  const maxPages = Math.floor(fileBytes / PAGE_BYTES);
  const maxUsedPages = maxPages - RESERVED_PAGES;
  return {
    maxLogBytes,
    maxPages,
    maxUsedPages,
    highPages: Math.floor(maxUsedPages * 0.95),
    lowPages: Math.floor(maxUsedPages * 0.9),
    maxPaths: Math.floor(maxBytes / 10 / BYTES_PER_PATH),
  };
}
