import type { Lease, PageStore, Purge, StoredEntry } from '@ng-ssr/core';

interface Kept {
  readonly entry: StoredEntry;
  readonly version: number;
  readonly untilMs: number;
}

/** What several processes share: entries by key, purges in their order, and leases. */
export class Shelf {
  readonly entries = new Map<string, Kept>();
  readonly purges: Purge[] = [];
  readonly leases = new Set<string>();
  /** Until when pages are known to be for one reader each. */
  readonly unshared = new Map<string, number>();
  readonly #listeners = new Map<object, (purge: Purge) => void>();
  /** How often each function was called, by all. */
  readonly calls: Record<string, number> = {};
  /** Waited for by every answer of a store: a network takes some turns of the event loop. */
  delay = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** The store of one process. */
  open(): PageStore {
    let build = '';
    let onError: Parameters<PageStore['open']>[0]['onError'] | undefined;
    const self = {};
    const count = (name: string): void => {
      this.calls[name] = (this.calls[name] ?? 0) + 1;
    };
    return {
      open: (context) => {
        count('open');
        build = context.buildId;
        onError = context.onError;
        this.#listeners.set(self, context.onPurge);
      },
      version: () => {
        if (onError === undefined) throw new Error('version() before open()');
        return this.purges.length;
      },
      get: async (key) => {
        count('get');
        await this.delay();
        const kept = this.entries.get(`${build}\n${key}`);
        if (kept === undefined || kept.untilMs <= Date.now()) return undefined;
        const later = this.purges.slice(kept.version).filter((purge) => isMeant(kept.entry, purge));
        if (later.some(({ hard }) => hard === true)) return undefined;
        // Nothing but plain data leaves a process.
        return { entry: structuredClone(kept.entry), isPurged: later.length > 0 };
      },
      set: async (key, entry, version, seconds) => {
        count('set');
        const untilMs = Date.now() + seconds * 1000;
        const kept = { entry: structuredClone(entry), version, untilMs };
        await this.delay();
        this.entries.set(`${build}\n${key}`, kept);
      },
      delete: async (key) => {
        count('delete');
        await this.delay();
        this.entries.delete(`${build}\n${key}`);
      },
      purge: async (purge) => {
        count('purge');
        await this.delay();
        this.purges.push(purge);
        for (const [other, onPurge] of this.#listeners) if (other !== self) onPurge(purge);
      },
      lease: async (key): Promise<Lease | 'taken' | 'unshared'> => {
        count('lease');
        await this.delay();
        const name = `${build}\n${key}`;
        if (Date.now() < (this.unshared.get(name) ?? 0)) return 'unshared';
        if (this.leases.has(name)) return 'taken';
        this.leases.add(name);
        return {
          release: async (unsharedMs) => {
            count('release');
            await this.delay();
            if (unsharedMs !== undefined) this.unshared.set(name, Date.now() + unsharedMs);
            this.leases.delete(name);
          },
        };
      },
      close: async () => {
        count('close');
        await this.delay();
        this.#listeners.delete(self);
      },
    };
  }
}

function isMeant(entry: StoredEntry, { path, prefix, tag }: Purge): boolean {
  if (!('path' in entry)) return false;
  if (path !== undefined) return entry.path === path;
  if (prefix !== undefined) return entry.path.startsWith(prefix);
  return entry.tags.includes(tag!);
}
