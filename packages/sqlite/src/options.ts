import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { SsrError } from '@ng-ssr/core';
import { check, group, option, type Option, wholeNumber, withDefault } from '@ng-ssr/core/store';

/** Options of `sqlitePageStore()`. */
export interface SqlitePageStoreOptions {
  /**
   * The file, on a local disk, that all processes share. SQLite adds `-wal` and `-shm`. A missing folder is created.
   */
  readonly file: string;
  /** Maximum size of the three files, at least 16 MiB (16 777 216). The least recently used pages are removed first. */
  readonly maxBytes: number;
  /** How long a page waits for the file. Default: 50. */
  readonly timeoutMs?: number | undefined;
  /** Larger pages, with their headers, are not shared. At most a sixteenth of `maxBytes`. Default: 2 MiB. */
  readonly maxEntryBytes?: number | undefined;
  /** Maximum queries and variants of one path; the oldest is removed first. Default: 500. */
  readonly maxPagesPerPath?: number | undefined;
  /** How long other processes wait for a render of the same page, at most 10 s. Default: 10,000. */
  readonly leaseMs?: number | undefined;
}

/** Options with every default filled in. */
export type ResolvedOptions = {
  readonly [name in keyof SqlitePageStoreOptions]-?: Exclude<
    SqlitePageStoreOptions[name],
    undefined
  >;
};

const FACTORY = 'sqlitePageStore';
const LEAST_BYTES = 16 * 1024 * 1024;
// SQLite's limit for a file of pages of 8192 bytes, and what a number of JavaScript's can count.
const MOST_BYTES = 2 ** 45;
const MOST_TIMER_MS = 2 ** 31 - 1;

const maxBytes: Option<number> = (name, given) => {
  const isSize = Number.isSafeInteger(given) && Number(given) >= LEAST_BYTES;
  const allowed = 'a whole number of bytes, at least 16 MiB, as in 256 * 1024 * 1024';
  check(name, given, isSize && Number(given) <= MOST_BYTES, allowed);
  return given as number;
};

const resolveGroup = group<ResolvedOptions>(
  {
    file: option<string>(isFile, 'the path of a file'),
    maxBytes,
    timeoutMs: withDefault(wholeNumber(1, MOST_TIMER_MS), 50),
    maxEntryBytes: withDefault(wholeNumber(1, 512 * 1024 * 1024), 2 * 1024 * 1024),
    maxPagesPerPath: withDefault(wholeNumber(1, 1_000_000), 500),
    leaseMs: withDefault(wholeNumber(1, MOST_TIMER_MS), 10_000),
  },
  'an object of options with file and maxBytes',
);

/**
 * Checks the options and fills in defaults.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`, naming the option, the
 * value received and what is allowed.
 */
export function resolveOptions(options: SqlitePageStoreOptions): ResolvedOptions {
  const isObject = typeof options === 'object' && options !== null;
  check(`${FACTORY}()`, options, isObject, 'an object of options with file and maxBytes');
  const resolved = resolveGroup(FACTORY, options);
  const { file, maxBytes, maxEntryBytes } = resolved;
  const mostOfEntry = Math.min(maxEntryBytes, Math.floor(maxBytes / 16));
  return { ...resolved, file: resolve(file), maxEntryBytes: mostOfEntry };
}

function isFile(file: unknown): boolean {
  const isPath = typeof file === 'string' && file !== '' && !file.includes('\0');
  return isPath && !/^(?::memory:|file:)/.test(file);
}

/** @throws SsrError `NG_SSR_STORE_UNAVAILABLE` on a runtime without node:sqlite. */
export function assertSqlite(): void {
  if (isBuiltin('node:sqlite')) return;
  throw new SsrError(
    'NG_SSR_STORE_UNAVAILABLE',
    `sqlitePageStore needs node:sqlite, which Node has since 22.13: this is Node ${process.version}`,
  );
}
