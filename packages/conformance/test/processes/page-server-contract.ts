import type { RouteRule } from '@ng-ssr/core';
import type { RedisPageStoreOptions } from '@ng-ssr/redis';
import type { SqlitePageStoreOptions } from '@ng-ssr/sqlite';
import type {
  FolderBodiesOptions,
  S3BodiesOptions,
  TieredPageStoreOptions,
} from '@ng-ssr/tiered-store';

/** What a process is started with. */
export interface PageServerOptions {
  /** A folder without files: there are no stored pages without one. */
  readonly browserFolder: string;
  /** Without a store, pages are stored in this process alone. */
  readonly redis?: RedisPageStoreOptions | undefined;
  readonly sqlite?: SqlitePageStoreOptions | undefined;
  /** The store before is an index then. */
  readonly tiered?: TieredOptions | undefined;
  readonly maxBytes?: number | undefined;
  readonly routeRules?: Readonly<Record<string, RouteRule>> | undefined;
  /** How far its clock is ahead, in milliseconds. */
  readonly clockAheadMs?: number | undefined;
}

/** Stores of bodies. */
export interface TieredOptions extends Omit<TieredPageStoreOptions, 'index' | 'bodies'> {
  readonly folder?: FolderBodiesOptions | undefined;
  readonly s3?: S3BodiesOptions | undefined;
}

/** What every page has in it. */
export interface PageContent {
  /** Who rendered it. */
  readonly pid: number;
  /** How many pages that process had rendered by then. */
  readonly render: number;
  /** The request as the page saw it: `url` and headers, as far as its query's `echo` names them. */
  readonly seen: Readonly<Record<string, string>>;
  /** Where its query asks for it: as many letters as `bytes` says, which can be compressed as pages can. */
  readonly text?: string;
}

/** What a process tells of itself. */
export interface PageServerState {
  /** Requests so far, those of its state left out. */
  readonly arrived: number;
  /** Renders so far, of one path where the question names one. */
  readonly renders: number;
  /** Renders below `/held/` that wait to be let go. */
  readonly held: number;
  /** The codes of what was reported. */
  readonly errors: readonly string[];
}

export const PURGE_ENDPOINT = { path: '/-/purge', token: 'a-token-for-purges' };
