import type { Purge } from '../purge.ts';
import type { StoredPage, Variants } from './stored-page.ts';

/** What is asked for pages, and for calls, after the memory of this process. */
export interface Tier {
  /** The latest purge known, for a render that begins now; undefined if the tier fails. */
  version(): number | undefined;
  /**
   * Gets a usable page, or the right to render it. Never rejects. Who gets neither renders without the right.
   *
   * @param deadlineAtMs - When the last waiting request gives up (`performance.now()`). Half of the time
   * until then is left for a render.
   */
  obtain(
    key: string,
    path: string,
    wanted: Wanted,
    deadlineAtMs: number,
    variantKeyOf: VariantKeyOf,
    birthOf: BirthOf,
  ): Promise<Obtained>;
  /** A page, whether it may be used or not. Never rejects. */
  find(key: string, variantKeyOf: VariantKeyOf, birthOf: BirthOf): Promise<FoundPage | undefined>;
  /** Whether it would take a page with this status now: others are not encoded for it. */
  takes(status: number): boolean;
  /** Never rejects. */
  set(
    primary: string,
    key: string,
    page: StoredPage,
    vary: readonly string[],
    version: number,
  ): Promise<void>;
  /** Never rejects. */
  delete(key: string): Promise<void>;
  /** @throws SsrError `NG_SSR_STORE_UNAVAILABLE` when other processes may not receive it. */
  purge(purge: Purge): Promise<void>;
  /**
   * Purges one path hard, if any process may have a page of it. Never rejects: the request that caused
   * it does not wait for it.
   *
   * @returns Whether pages from before the purge may have been read meanwhile.
   */
  invalidate(path: string): Promise<boolean>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Which pages of a tier may be used: stale ones too, fresh ones alone, or none, since the page is rendered in any case. */
export type Wanted = 'usable' | 'fresh' | 'new';

/** The key of a variant. @param names - Of the request headers that the page varies by. */
export type VariantKeyOf = (names: readonly string[]) => string;

/** When a page was generated (`performance.now()`). */
export type BirthOf = (page: StoredPage, key: string) => number;

/** A page of the tier. */
export interface FoundPage {
  readonly key: string;
  readonly page: StoredPage;
  /** The entry of the key without variant values, if the page is a variant. */
  readonly variants: Variants | undefined;
  readonly isPurged: boolean;
  /** When it was generated (`performance.now()`). */
  readonly bornAtMs: number;
}

/** What the tier gives a process: a page, the right to render it, or neither. */
export interface Obtained {
  readonly found?: FoundPage;
  readonly lease?: Lease;
  /** Whether the page's answers cannot be shared. */
  readonly isUnshared?: boolean;
}

/** The right to render a page for which other processes wait. */
export interface Lease {
  /**
   * Ends the lease, whether or not a page was stored. Never rejects.
   *
   * @param unsharedMs - Given if the answer cannot be shared: for this time in milliseconds `lease`
   * returns `unshared` for this key (Varnish calls it hit-for-miss). A store without support for this
   * grants the lease to the next process that asks.
   */
  release(unsharedMs?: number): Promise<void>;
}
