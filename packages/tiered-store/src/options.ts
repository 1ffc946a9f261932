import type { PageStore } from '@ng-ssr/core';
import { check, group, option, type Option, wholeNumber, withDefault } from '@ng-ssr/core/store';
import type { BodyStore } from './body-store.ts';

/** Options of `tieredPageStore()`. */
export interface TieredPageStoreOptions {
  /** Has the entry of each page without its body, and all purges and leases: `redisPageStore()`, `sqlitePageStore()`. */
  readonly index: PageStore;
  /**
   * Stores of bodies, the nearest first: `folderBodies()`, `s3Bodies()`. All processes share the last one.
   */
  readonly bodies: readonly BodyStore[];
  /** Smaller bodies stay in the index. Default: 2048. */
  readonly inlineBytes?: number | undefined;
  /** Larger pages, with their headers, are not shared. Default: 2 MiB. */
  readonly maxEntryBytes?: number | undefined;
  /**
   * How long other processes wait until a rendered page is in the last store of bodies. After that it is sent in the
   * background. At most about 400, unless you fill the store before the server starts. Default: 250.
   */
  readonly writeTimeoutMs?: number | undefined;
  /** Maximum size of bodies that are being sent. A page for which there is no room is not shared. Default: 32 MiB. */
  readonly maxPendingBytes?: number | undefined;
}

/** Options with every default filled in. */
export type ResolvedOptions = {
  readonly [name in keyof TieredPageStoreOptions]-?: Exclude<
    TieredPageStoreOptions[name],
    undefined
  >;
};

const FACTORY = 'tieredPageStore';
const MOST_ENTRY_BYTES = 512 * 1024 * 1024;
const MOST_TIMER_MS = 2 ** 31 - 1;
const MOST_INLINE_BYTES = 1024 * 1024;
const INDEX_FUNCTIONS = ['open', 'version', 'get', 'set', 'delete', 'purge', 'lease', 'close'];
const BODY_FUNCTIONS = ['get', 'put'];

const index: Option<PageStore> = option(
  (given) => hasFunctions(given, INDEX_FUNCTIONS),
  'a page store: redisPageStore() of @ng-ssr/redis, or sqlitePageStore() of @ng-ssr/sqlite',
);

const bodies: Option<readonly BodyStore[]> = (name, given) => {
  const allowed = 'a list of stores of bodies, the nearest first: folderBodies(), s3Bodies()';
  check(name, given, Array.isArray(given) && given.length > 0, allowed);
  const list = [...(given as readonly BodyStore[])];
  for (const [at, each] of list.entries())
    check(`${name}[${at}]`, each, isBodyStore(each), allowed);
  return list;
};

const resolveGroup = group<ResolvedOptions>(
  {
    index,
    bodies,
    inlineBytes: withDefault(wholeNumber(0, MOST_INLINE_BYTES), 2048),
    maxEntryBytes: withDefault(wholeNumber(1, MOST_ENTRY_BYTES), 2 * 1024 * 1024),
    writeTimeoutMs: withDefault(wholeNumber(1, MOST_TIMER_MS), 250),
    maxPendingBytes: withDefault(wholeNumber(1, Number.MAX_SAFE_INTEGER), 32 * 1024 * 1024),
  },
  'an object of options with index and bodies',
);

/**
 * Checks the options and fills in defaults.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`, naming the option, the value received and what is
 * allowed.
 */
export function resolveOptions(options: TieredPageStoreOptions): ResolvedOptions {
  const isObject = typeof options === 'object' && options !== null;
  check(`${FACTORY}()`, options, isObject, 'an object of options with index and bodies');
  return resolveGroup(FACTORY, options);
}

function isBodyStore(given: unknown): boolean {
  if (!hasFunctions(given, BODY_FUNCTIONS)) return false;
  const { name, timeoutMs, maxBodyBytes = 1 } = given as BodyStore;
  const isName = typeof name === 'string';
  return isName && Number.isFinite(timeoutMs) && timeoutMs > 0 && maxBodyBytes > 0;
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  return given === value && names.every((name) => typeof given[name] === 'function');
}
