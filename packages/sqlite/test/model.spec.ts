import type { Purge, StoredPage } from '@ng-ssr/core';
import { fuzzOptions, Random } from '@ng-ssr/conformance/fuzz';
import { type OpenStore, openStore, page, readyStore } from '@ng-ssr/conformance/page-store';
import { expect, test } from 'vitest';
import { isLongEnough } from '../../conformance/test/is-long-enough.ts';
import { StoreFile } from './store-file.ts';

const { requests, seed } = fuzzOptions(300);
const STORES = 3;
const KEYS = 6;
const NAMES = ['a', 'b', 'c', 'ab'];

interface Stored {
  readonly page: StoredPage;
  /** How many purges had been made when its render began. */
  readonly purges: number;
}

/** What a store does, told by a list of purges. */
class Model {
  readonly #entries = new Map<string, Stored>();
  readonly #purges: Purge[] = [];

  get purges(): number {
    return this.#purges.length;
  }

  set(key: string, stored: Stored): void {
    const earlier = this.#entries.get(key);
    const isOlder =
      earlier !== undefined &&
      (earlier.purges > stored.purges ||
        (earlier.purges === stored.purges && earlier.page.dateMs > stored.page.dateMs));
    if (!isOlder) this.#entries.set(key, stored);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  purge(purge: Purge): void {
    this.#purges.push(purge);
  }

  /** What a look-up finds; undefined for nothing. */
  get(key: string): { readonly body: string; readonly isPurged: boolean } | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    const later = this.#purges.slice(found.purges).filter((purge) => concerns(purge, found.page));
    if (later.some(({ hard }) => hard)) return undefined;
    return { body: Buffer.from(found.page.body).toString(), isPurged: later.length > 0 };
  }
}

function concerns({ path, prefix, tag }: Purge, { path: own, tags }: StoredPage): boolean {
  if (tag !== undefined) return tags.includes(tag);
  return path === undefined ? own.startsWith(prefix!) : own === path;
}

test(
  `${requests} operations of several processes are those of the model`,
  { timeout: 300_000 + requests * 20 },
  async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${requests}`);
    const random = new Random(seed);
    const file = new StoreFile();
    const model = new Model();
    const stores: OpenStore[] = await Promise.all(
      Array.from({ length: STORES }, () => readyStore(file)),
    );
    /** Renders in flight: what they have read as they began. */
    const renders: { readonly purges: number; readonly version: number; readonly at: number }[] =
      [];
    const dateMs = Date.now();
    let hits = 0;

    const toPage = (number: number): StoredPage =>
      page(`page ${number} ${'x'.repeat(random.below(3) * 9_000)}`, {
        path: `/${random.pick(NAMES)}`,
        tags: NAMES.filter(() => random.chance(0.3)),
        dateMs: dateMs - random.below(1_000),
        freshSeconds: 6_000,
      });
    const toPurge = (): Purge => {
      const name = random.pick(NAMES);
      const target = random.pick([{ path: `/${name}` }, { prefix: `/${name}` }, { tag: name }]);
      return random.chance(0.5) ? { ...target, hard: true } : target;
    };
    /** A version tells of all purges only once the store has read them. */
    const begin = async (at: number): Promise<void> => {
      await stores[at]!.store.get('/none');
      renders.push({ purges: model.purges, version: stores[at]!.store.version(), at });
    };

    try {
      const hasEnoughHits = (): boolean => hits > requests / 20;
      for (let number = 0; !isLongEnough(number, requests, hasEnoughHits); number++) {
        const at = random.below(STORES);
        const { store } = stores[at]!;
        const key = `/${random.below(KEYS)}`;
        const kind = random.below(100);
        if (kind < 20) await begin(at);
        else if (kind < 45 && renders.length > 0) {
          const [render] = renders.splice(random.below(renders.length), 1);
          const stored = { page: toPage(number), purges: render!.purges };
          await stores[render!.at]!.store.set(key, stored.page, render!.version, 6_000);
          model.set(key, stored);
        } else if (kind < 53) {
          const purge = toPurge();
          model.purge(purge);
          await store.purge(purge);
        } else if (kind < 56) {
          const path = `/${random.pick(NAMES)}`;
          // Without a page it is no purge, which changes no answer. Renders in flight hold leases: these have none.
          renders.length = 0;
          model.purge({ path, hard: true });
          await store.invalidate!(path);
        } else if (kind < 58) {
          await store.delete(key);
          model.delete(key);
        } else if (kind < 59) {
          await store.close();
          for (let i = renders.length; i-- > 0;) if (renders[i]!.at === at) renders.splice(i, 1);
          stores[at] = openStore(file);
        } else {
          const expected = model.get(key);
          const found = await store.get(key);
          const body =
            found && 'body' in found.entry ? Buffer.from(found.entry.body).toString() : '';
          const shown = found && { body, isPurged: found.isPurged };
          expect(shown, `seed ${seed}, operation ${number}, ${key}`).toEqual(expected);
          if (found !== undefined) hits++;
        }
      }
      console.log(`${hits} look-ups found a page`);
      expect(hits).toBeGreaterThan(requests / 20);
      expect(stores.flatMap(({ errors }) => errors)).toEqual([]);
    } finally {
      await Promise.all(stores.map(({ store }) => store.close()));
      await file.close();
    }
  },
);
