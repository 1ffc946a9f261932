import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StoredPage } from '@ng-ssr/core';
import { fuzzOptions, Random } from '@ng-ssr/conformance/fuzz';
import { page } from '@ng-ssr/conformance/page-store';
import { expect, test } from 'vitest';
import { isLongEnough } from '../../conformance/test/is-long-enough.ts';
import { openMachine } from './machines.ts';
import { Place } from './place.ts';
import { Proxy, type Weather } from './proxy.ts';
import { S3Server } from './s3-server.ts';

const { requests, seed } = fuzzOptions(600);
const KEYS = 8;
const WEATHERS: readonly Weather[] = [
  'fine',
  'fine',
  'refusing',
  'cutting',
  'damaging',
  'forbidden',
  'overloaded',
];

/** What may be found under a key: all pages stored since the last one that was purged hard, which no store may have. */
class Model {
  readonly #purges = new Map<string, { hard: number; soft: number }>();
  readonly #pages = new Map<string, { readonly key: string; readonly at: number }>();
  #clock = 0;

  set(key: string, text: string): void {
    this.#pages.set(text, { key, at: ++this.#clock });
  }

  purge(key: string, hard: boolean): void {
    const { [hard ? 'soft' : 'hard']: other } = this.#purgesOf(key);
    const at = ++this.#clock;
    this.#purges.set(key, hard ? { hard: at, soft: other } : { hard: other, soft: at });
  }

  check(key: string, text: string, isPurged: boolean): void {
    const stored = this.#pages.get(text);
    expect(stored?.key, 'a page of another key').toBe(key);
    const { hard, soft } = this.#purgesOf(key);
    expect(stored!.at, 'a purged page').toBeGreaterThan(hard);
    expect(isPurged).toBe(stored!.at < soft);
  }

  #purgesOf(key: string): { hard: number; soft: number } {
    return this.#purges.get(key) ?? { hard: 0, soft: 0 };
  }
}

test(`${requests} operations in bad weather find no purged and no wrong page`, async ({
  onTestFinished,
}) => {
  console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${requests}`);
  const random = new Random(seed);
  const s3 = await S3Server.start();
  const proxy = await Proxy.start(s3.port);
  const place = new Place();
  onTestFinished(async () => {
    await proxy.stop();
    await s3.stop();
    await place.close();
  });
  const inlineBytes = 500;
  const machine = (folder: string): ReturnType<typeof openMachine> =>
    openMachine({ place, s3, proxy, folder, inlineBytes });
  const folders = ['one', 'two', 'three'];
  const machines = await Promise.all(folders.map(machine));
  const model = new Model();
  let hits = 0;

  const toPage = (key: string, number: number): StoredPage =>
    // Some stay in the index, some are alike in length.
    page(
      `${key} ${String(number).padStart(6, '0')} ${'x'.repeat(random.pick([10, 900, 900, 30_000]))}`,
      {
        path: key,
        tags: [key],
        freshSeconds: 6_000,
      },
    );
  const damage = (): void => {
    const folder = random.chance(0.3) ? s3.objects : place.path(random.pick(folders));
    if (!existsSync(folder)) return;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/json$|md5$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name));
    if (files.length < 2) return;
    const file = random.pick(files);
    const kind = random.below(4);
    if (kind === 0) rmSync(file);
    else if (kind === 3) writeFileSync(file, readFileSync(random.pick(files)));
    else if (kind === 1) truncateSync(file, random.below(statSync(file).size));
    else writeFileSync(file, random.chance(0.5) ? 'NGB' : 'NGB\x01n and more', { flag: 'w' });
  };

  const hasEnoughHits = (): boolean => hits > requests / 10;
  for (let number = 0; !isLongEnough(number, requests, hasEnoughHits); number++) {
    const { store } = machines[random.below(machines.length)]!;
    const key = `/${random.below(KEYS)}`;
    const kind = random.below(100);
    const shown = `seed ${seed}, operation ${number}, ${key}`;
    if (kind < 30) {
      const entry = toPage(key, number);
      // All purges so far must be known to the version.
      await store.get('/none');
      model.set(key, Buffer.from(entry.body).toString());
      await store.set(key, entry, store.version(), 6_000);
    } else if (kind < 40) {
      const hard = random.chance(0.5);
      model.purge(key, hard);
      await store.purge({ path: key, hard });
    } else if (kind < 43) {
      proxy.turn(random.pick(WEATHERS));
    } else if (kind < 50) {
      if (random.chance(0.7)) damage();
      else rmSync(place.path(random.pick(folders)), { recursive: true, force: true });
    } else {
      const found = await store.get(key);
      if (found === undefined) continue;
      if (!('body' in found.entry)) expect.fail(`${shown}: no page`);
      try {
        model.check(key, Buffer.from(found.entry.body).toString(), found.isPurged);
      } catch (error) {
        throw new Error(shown, { cause: error });
      }
      hits++;
    }
  }
  console.log(`${hits} look-ups found a page`);
  expect(hits).toBeGreaterThan(requests / 10);
  const codes = new Set(machines.flatMap(({ errors }) => errors.map(({ code }) => code)));
  expect([...codes].filter((code) => code !== 'NG_SSR_STORE_UNAVAILABLE')).toEqual([]);
});
