import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  bodyOf,
  type OpenStore,
  openStore,
  page,
  readyStore,
} from '@ng-ssr/conformance/page-store';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreFile } from './store-file.ts';

const POLL = { timeout: 30_000, interval: 10 };
const UNAVAILABLE = expect.objectContaining({ code: 'NG_SSR_STORE_UNAVAILABLE' });

let file: StoreFile;
beforeEach(() => (file = new StoreFile()));
afterEach(() => file.close());

/** Writes to the file as another program does. */
function change(sql: string): void {
  const database = new DatabaseSync(file.path);
  // A store may be writing.
  database.exec('PRAGMA busy_timeout = 30000');
  database.exec(sql);
  database.close();
}

/** A file with some pages, which no process has open. */
async function filled(): Promise<void> {
  const store = file.createStore();
  store.open({ buildId: 'build', onPurge: () => {}, onError: (error) => expect.fail(`${error}`) });
  await vi.waitFor(() => expect(store.version()).toBeGreaterThan(0), POLL);
  for (let i = 0; i < 20; i++) {
    await store.set(`/${i}`, page('x'.repeat(20_000)), store.version(), 60);
  }
  await store.close();
}

async function expectUsable({ store }: OpenStore): Promise<void> {
  await vi.waitFor(async () => {
    await store.set('/usable', page('usable'), store.version(), 60);
    expect(await bodyOf(store, '/usable')).toBe('usable');
  }, POLL);
}

/** What a store does without a file: misses, and one error. */
async function expectAway({ store, errors }: OpenStore): Promise<void> {
  await vi.waitFor(() => expect(errors).toEqual([UNAVAILABLE]), POLL);
  for (let i = 0; i < 3; i++) {
    expect(await store.get('/')).toBeUndefined();
    await store.set('/', page('page'), store.version(), 60);
    await store.delete('/');
    expect(await store.lease('/', '/page')).toBeUndefined();
    await expect(store.purge({ path: '/' })).rejects.toEqual(UNAVAILABLE);
  }
  expect(errors).toHaveLength(1);
}

describe('a file', () => {
  test('is created with its folders, for this user alone, and is left to the next process', async () => {
    const nested = join(file.folder, 'a/b/pages.db');
    const open = (): OpenStore =>
      openStore({ createStore: () => file.createStore({ file: nested }), close: async () => {} });
    const one = open();
    await expectUsable(one);
    for (const name of [nested, `${nested}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    await one.store.close();
    expect(await bodyOf(open().store, '/usable')).toBe('usable');
  });

  test('answers the first request after a start', async () => {
    await filled();
    const { store } = openStore(file);
    expect(await bodyOf(store, '/7')).toBe('x'.repeat(20_000));
  });

  test.each([
    ['garbage in a table', () => scribble(3 * 8192, 40 * 8192)],
    ['garbage after the header', () => scribble(100, 20 * 8192)],
    ['half of it', () => truncateSync(file.path, 5 * 8192)],
    ['a table less', () => change('DROP TABLE bodies')],
    ['no id', () => change(`DELETE FROM facts`)],
    ['an earlier version', () => change('PRAGMA user_version = 0')],
    [
      'a purge beyond all numbers',
      () => change(`UPDATE facts SET value = 9007199254740991 WHERE name = 'version'`),
    ],
  ])('with %s is replaced, and reported once', async (_name, damage) => {
    await filled();
    damage();
    const opened = await readyStore(file);
    await Promise.allSettled(Array.from({ length: 20 }, (_, i) => opened.store.get(`/${i}`)));
    await opened.store.purge({ tag: 'a' }).catch(() => undefined);
    await expectUsable(opened);
    await opened.store.purge({ tag: 'products', hard: true });
    expect(await opened.store.get('/usable')).toBeUndefined();
    expect(opened.errors).toEqual([UNAVAILABLE]);
    expect(opened.errors[0]!.message).toContain('was damaged and is removed');
  });

  function scribble(from: number, to: number): void {
    const descriptor = openSync(file.path, 'r+');
    writeSync(descriptor, Buffer.alloc(to - from, 0x5a), 0, to - from, from);
  }

  test.each([
    ['a text', () => writeFileSync(file.path, 'precious '.repeat(1_000))],
    ['a database of another program', () => change('CREATE TABLE precious (value)')],
    ['a file of a later version', () => change('PRAGMA user_version = 99')],
  ])('%s is left as it is, and reported once', async (name, write) => {
    if (name === 'a file of a later version') await filled();
    write();
    const before = readFileSync(file.path);
    const opened = openStore(file);
    await expectAway(opened);
    expect(opened.errors[0]!.message).toContain('is not a file of this store');
    expect(readFileSync(file.path).equals(before)).toBe(true);
  });

  test('whose folder cannot be made is tried again, and reported once', async () => {
    const folder = join(file.folder, 'folder');
    writeFileSync(folder, '');
    const opened = openStore({
      createStore: () => file.createStore({ file: join(folder, 'pages.db') }),
      close: async () => {},
    });
    await expectAway(opened);
    rmSync(folder);
    mkdirSync(folder);
    await expectUsable(opened);
    expect(opened.errors).toHaveLength(1);
  });

  test.skipIf(process.platform !== 'linux')(
    'in a folder of /proc is reported once, and its thread goes on',
    async () => {
      const opened = openStore({
        createStore: () => file.createStore({ file: '/proc/ng-ssr/pages.db' }),
        close: async () => {},
      });
      await expectAway(opened);
      expect(opened.errors[0]!.message).toContain(
        'Check that its folder exists and can be written',
      );
      expect(opened.errors[0]!.cause).toMatchObject({
        message: expect.stringContaining('ENOENT') as string,
      });
    },
  );

  test('that is a link to nothing is named so, once, and is used when there is something', async () => {
    const target = join(file.folder, 'volume.db');
    symlinkSync(target, file.path);
    const opened = openStore(file);
    await expectAway(opened);
    const [error] = opened.errors;
    expect(error!.message).toContain('cannot be used');
    expect(error!.cause).toMatchObject({
      message: `it is a symbolic link to ${target}, which does not exist`,
    });
    expect(existsSync(target)).toBe(false);
    writeFileSync(target, '');
    utimesSync(target, 0, 0);
    await expectUsable(opened);
    expect(opened.errors).toHaveLength(1);
  });

  test('in a folder that may not be written is reported once', async () => {
    await filled();
    chmodSync(file.path, 0o444);
    chmodSync(file.folder, 0o555);
    const program = `import { sqlitePageStore } from '@ng-ssr/sqlite';
      const store = sqlitePageStore(${JSON.stringify(file.options())});
      const errors = [];
      store.open({ buildId: 'build', onPurge: () => {}, onError: ({ code }) => errors.push(code) });
      const found = await store.get('/1');
      await store.set('/', { vary: [] }, store.version(), 60);
      const purged = await store.purge({ path: '/' }).catch(({ code }) => code);
      await store.close();
      console.log(JSON.stringify({ found, purged, errors }));`;
    // Root may write everywhere.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      ...nobody,
    });
    expect(JSON.parse(output)).toEqual({
      purged: 'NG_SSR_STORE_UNAVAILABLE',
      errors: ['NG_SSR_STORE_UNAVAILABLE'],
    });
  });

  // Windows has no limit of a file's size for a process.
  test.skipIf(process.platform === 'win32')(
    'that can be written no further is reported, and ends no process',
    () => {
      const program = `import { page } from '@ng-ssr/conformance/page-store';
      import { sqlitePageStore } from '@ng-ssr/sqlite';
      const store = sqlitePageStore(${JSON.stringify(file.options())});
      const errors = [];
      store.open({ buildId: 'build', onPurge: () => {}, onError: ({ code }) => errors.push(code) });
      await store.get('/');
      for (let i = 0; i < 40; i++) {
        await store.set('/' + i, page('x'.repeat(100_000)), store.version(), 60);
      }
      await store.close();
      console.log(JSON.stringify(errors));`;
      // Files of at most 500 blocks: a write beyond them fails, as on a disk that is full.
      const script = `trap '' XFSZ; ulimit -f 500; exec "$0" --input-type=module --eval "$1"`;
      const output = execFileSync('/bin/bash', ['-c', script, process.execPath, program], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      });
      // After a second the store tries again. What is left of the file may be enough for one page: then it fails once more.
      const codes = JSON.parse(output) as string[];
      expect(new Set(codes)).toEqual(new Set(['NG_SSR_STORE_UNAVAILABLE']));
      expect(codes.length).toBeLessThanOrEqual(2);
    },
  );

  test('that is deleted is followed by a new one, for all processes', async () => {
    const [one, other] = [await readyStore(file), await readyStore(file)];
    await one.store.set('/', page('old'), one.store.version(), 60);
    const before = other.store.version();
    rmSync(file.path);
    await expectUsable(one);
    expect(await bodyOf(other.store, '/')).toBeUndefined();
    await vi.waitFor(async () => expect(await bodyOf(other.store, '/usable')).toBe('usable'), POLL);
    // What was purged in the deleted file is unknown: pages in memory are stale.
    await vi.waitFor(() => expect(other.purges).toEqual([{ prefix: '/' }]), POLL);
    // A render that began before is not stored: purges that concern it may be lost.
    await other.store.set('/before', page('before'), before, 60);
    expect(await other.store.get('/before')).toBeUndefined();
    expect(other.store.version()).toBeGreaterThan(before);
    await other.store.purge({ tag: 'products', hard: true });
    expect(await one.store.get('/usable')).toBeUndefined();
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test('that another process has locked is read; writes and purges give up in their time', async () => {
    const opened = await readyStore({
      createStore: () => file.createStore({ timeoutMs: 100 }),
      close: async () => {},
    });
    const { store, errors } = opened;
    await store.set('/', page('kept'), store.version(), 60);
    await store.set('/other', { ...page('other'), tags: [] }, store.version(), 60);
    const holder = new DatabaseSync(file.path);
    holder.exec('BEGIN IMMEDIATE');
    const purged = expect(store.purge({ tag: 'products', hard: true })).rejects.toEqual(
      UNAVAILABLE,
    );
    await vi.waitFor(async () => {
      await store.set('/later', page('later'), store.version(), 60);
      expect(errors).toEqual([UNAVAILABLE]);
    }, POLL);
    expect(await store.lease('/', '/page')).toBeUndefined();
    await purged;
    // The purge applies to this process nevertheless, and to all when the lock is free.
    await vi.waitFor(async () => expect(await bodyOf(store, '/other')).toBe('other'), POLL);
    expect(await store.get('/')).toBeUndefined();
    const other = await readyStore(file);
    expect(await bodyOf(other.store, '/')).toBe('kept');
    holder.exec('ROLLBACK');
    holder.close();
    await vi.waitFor(async () => expect(await other.store.get('/')).toBeUndefined(), POLL);
    await expectUsable(opened);
    expect(errors).toHaveLength(1);
  });

  test('entries from a time to come are none: the clock was set back', async () => {
    const { store } = await readyStore(file);
    await store.set('/', page('old'), store.version(), 60);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    try {
      expect(await store.get('/')).toBeUndefined();
      await store.set('/', page('new'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('new');
      const lease = await store.lease('/leased', '/page');
      expect(lease).toHaveProperty('release');
    } finally {
      vi.useRealTimers();
    }
    expect(await store.get('/')).toBeUndefined();
  });

  test('a lease that ends far from now ends soon', async () => {
    const { store } = await readyStore(file);
    change(`INSERT INTO builds VALUES ('x', 0)`);
    await (await readyStore(file)).store.lease('/', '/page');
    change(`UPDATE leases SET until = until + 86400000, token = 'dead'`);
    expect(await store.lease('/', '/page')).toBe('taken');
    await vi.waitFor(
      async () => expect(await store.lease('/', '/page')).toHaveProperty('release'),
      POLL,
    );
  });

  test('names hold nothing of what clients send', async () => {
    const { store } = await readyStore(file);
    const key = 'https://shop.example\n/reset/secret?token=secret\n=secret\n\n\nx-user\n=secret';
    await store.set(key, page('page'), store.version(), 60);
    await store.lease(key, '/secret');
    await store.close();
    expect(readFileSync(file.path, 'latin1')).not.toContain('secret');
  });
});
