import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { SsrError } from '@ng-ssr/core';
import { check, group, option, wholeNumber, withDefault } from '@ng-ssr/core/store';

/** Where a store keeps its pages, and its limits. */
export interface SqlitePageStoreOptions {
  /**
   * The file, for all processes that share pages; `-wal` and `-shm` are added to its name for two more. Its folder is
   * created if it is missing, and must be on a disk of this machine. A relative path is one from the working directory.
   */
  readonly file: string;
  /**
   * The most that the three files take. Pages used longest ago are dropped first. In bytes, at least 16 MiB
   * (16 777 216).
   */
  readonly maxBytes: number;
  /** The longest wait of a page for the file. In milliseconds; default 50. */
  readonly timeoutMs?: number | undefined;
  /**
   * Larger entries are not shared. In bytes, fields included; default 2 MiB, and never more than a sixteenth of
   * `maxBytes`.
   */
  readonly maxEntryBytes?: number | undefined;
  /**
   * The most pages of one path that are shared, besides the one without query and variant: clients
   * choose queries. The page stored first is dropped first. Default 500.
   */
  readonly maxPagesPerPath?: number | undefined;
  /**
   * The time a process has to render a page that others wait for. In milliseconds; default 10 000.
   * If it dies meanwhile, others wait for two seconds at most.
   */
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

const resolveGroup = group<ResolvedOptions>(
  {
    file: option<string>(isFile, 'the path of a file'),
    maxBytes: wholeNumber(LEAST_BYTES, MOST_BYTES),
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
