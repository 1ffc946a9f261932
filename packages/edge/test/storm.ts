import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { ask, type Shop } from './shop.ts';

const PATHS = 12;

/** What a storm has done. */
export interface StormReport {
  readonly reads: number;
  readonly hits: number;
  readonly purges: number;
}

/**
 * Changes, hard purges, slow renders and reads through Varnish, all at once. No read that begins after a purge has
 * resolved may get a version from before the change.
 *
 * @param url - Of Varnish.
 * @param changes - How many, and how many at a time. `settleMs` of the edge must be longer than a busy machine takes
 * to bring an answer to Varnish.
 */
export async function storm(
  shop: Shop,
  url: string,
  seed: number,
  changes: number,
  atOnce: number,
): Promise<StormReport> {
  const random = randomOf(seed);
  /** The least version that a read may get, of each path. */
  const purged = new Map<string, number>();
  const report = { reads: 0, hits: 0, purges: 0 };
  let isOver = false;
  // Some renders take longer than the time after which a purge is sent again.
  shop.onRender = () => (random() < 0.3 ? wait(random() * 150) : undefined);

  const pathOf = (): string =>
    `/hard/storm-${Math.floor(random() * 3)}/${Math.floor((random() * PATHS) / 3)}`;
  const read = async (): Promise<void> => {
    const path = pathOf();
    const least = purged.get(path) ?? 0;
    const query = random() < 0.3 ? `?q=${Math.floor(random() * 2)}` : '';
    const encoding = random() < 0.5 ? 'br' : 'identity';
    const {
      page,
      varnish: use,
      status,
    } = await ask(url + path + query, { 'accept-encoding': encoding });
    report.reads++;
    if (status !== 200) return;
    if (use === 'hit') report.hits++;
    const what = `seed ${seed}, read ${report.reads} of ${path}${query} (${use})`;
    expect(page.version, what).toBeGreaterThanOrEqual(least);
  };
  const reader = async (): Promise<void> => {
    while (!isOver) await read();
  };
  const change = async (): Promise<void> => {
    const path = pathOf();
    const isOfFolder = random() < 0.2;
    const folder = path.replace(/[^/]+$/, '');
    const meant = isOfFolder
      ? Array.from({ length: PATHS / 3 }, (_, i) => `${folder}${i}`)
      : [path];
    const versions = new Map<string, number>();
    for (const one of meant) {
      const version = (shop.versions.get(one) ?? 0) + 1;
      shop.versions.set(one, version);
      versions.set(one, version);
    }
    const kind = random();
    await shop.server.cache.purge({
      ...(isOfFolder ? { prefix: folder } : kind < 0.5 ? { path } : { tag: `page:${path}` }),
      hard: true,
    });
    report.purges++;
    for (const [one, version] of versions) {
      purged.set(one, Math.max(version, purged.get(one) ?? 0));
    }
  };
  const changer = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await change();
      // Reads begin to hit again.
      await wait(random() * 60);
    }
  };
  try {
    const readers = Array.from({ length: 6 }, () => reader());
    // A reader that fails ends the storm.
    const changed = Promise.all(
      Array.from({ length: atOnce }, () => changer(Math.ceil(changes / atOnce))),
    );
    await Promise.race([changed, Promise.all(readers)]);
    isOver = true;
    await Promise.all([changed, ...readers]);
    expect(shop.errors).toEqual([]);
    return report;
  } finally {
    isOver = true;
    shop.onRender = () => undefined;
  }
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
