import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageStorePlace } from '@ng-ssr/conformance/page-store';
import { sqlitePageStore, type SqlitePageStoreOptions } from '@ng-ssr/sqlite';

/** The smallest that is allowed. */
export const LEAST_BYTES: number = 16 * 1024 * 1024;

/** A folder of a test's own, with the file of its stores. */
export class StoreFile implements PageStorePlace {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'ng-ssr-sqlite-'));
  readonly path: string = join(this.folder, 'pages.db');

  /** Options for a store of this file. A busy machine is no outage. */
  options(more: Partial<SqlitePageStoreOptions> = {}): SqlitePageStoreOptions {
    return { file: this.path, maxBytes: LEAST_BYTES, timeoutMs: 5_000, ...more };
  }

  createStore(
    more: Partial<SqlitePageStoreOptions> = {},
  ): ReturnType<PageStorePlace['createStore']> {
    return sqlitePageStore(this.options(more));
  }

  /** What the file and its two companions take, in bytes. */
  get bytes(): number {
    const names = [this.path, `${this.path}-wal`, `${this.path}-shm`];
    return names.reduce(
      (sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  async close(): Promise<void> {
    // The thread of a store may be writing its last lines.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
