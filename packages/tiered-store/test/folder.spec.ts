import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { execFileSync, fork } from 'node:child_process';
import {
  chmodSync,
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bodyOf, readyStore } from '@ng-ssr/conformance/page-store';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { folderBodies, tieredPageStore } from '@ng-ssr/tiered-store';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { POLL, textOf, textPage } from './machines.ts';
import { LEAST_BYTES, Place } from './place.ts';

const SUB_FOLDER_BYTES = LEAST_BYTES / 256;
const never = new AbortController().signal;

let place: Place;
beforeEach(({ onTestFinished }) => {
  place = new Place();
  onTestFinished(() => place.close());
});

/** All files below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** A name as bodies have, in one sub folder. */
function nameOf(count: number): string {
  return `1/ab/${String(count).padStart(62, '0')}`;
}

describe('a file that is not the body of its page', () => {
  const damages: readonly [string, (file: string, other: string) => void][] = [
    ['of another page', (file, other) => copyFileSync(other, file)],
    ['cut', (file) => truncateSync(file, statSync(file).size - 1)],
    ['empty', (file) => truncateSync(file, 0)],
    [
      'longer',
      (file) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(100_000)])),
    ],
    ['with a byte behind its end', (file) => appendFileSync(file, 'x')],
    ['deleted', (file) => rmSync(file)],
    ['of a later format', (file) => writeFileSync(file, Buffer.from('NGB\x02b later'))],
    ['of an unknown compression', (file) => writeFileSync(file, Buffer.from('NGB\x01z later'))],
  ];
  // Two of one length each.
  const kinds: readonly [string, readonly Uint8Array[]][] = [
    ['that cannot be compressed', [randomBytes(3_000), randomBytes(3_000)]],
    ['that is compressed', [Buffer.alloc(3_000, 'one'), Buffer.alloc(3_000, 'two')]],
  ];
  const cases = damages.flatMap(([name, damage]) =>
    kinds.map(([kind, bodies]) => [name, kind, damage, bodies] as const),
  );
  test.each(cases)(
    '%s (%s): is a miss, until the page is stored again',
    async (_name, _kind, damage, bodies) => {
      const { store, errors } = await readyStore(place);
      const [page, other] = bodies.map((body, at) => textPage(`/${at}`, { body }));
      await store.set('/other', other!, store.version(), 60);
      const [otherFile] = filesIn(place.path('bodies'));
      await store.set('/', page!, store.version(), 60);
      const file = filesIn(place.path('bodies')).find((each) => each !== otherFile)!;
      damage(file, otherFile!);
      expect(await store.get('/')).toBeUndefined();
      expect(await store.get('/other')).toBeDefined();
      expect(errors.length).toBeLessThan(2);
      for (const error of errors) expect(error.message).toContain('has damaged bodies');
      await store.set('/', page!, store.version(), 60);
      expect(await store.get('/')).toMatchObject({ entry: { body: page!.body } });
    },
  );
});

test.skipIf(process.platform === 'win32')(
  'a pipe or a folder is a miss, and holds no thread',
  async () => {
    const bodies = place.bodies();
    mkdirSync(place.path('bodies/1/ab'), { recursive: true });
    // More than Node has threads for files.
    const names = Array.from({ length: 8 }, (_, count) => nameOf(count));
    for (const name of names) execFileSync('mkfifo', [place.path(`bodies/${name}`)]);
    names.push(nameOf(8));
    mkdirSync(place.path(`bodies/${nameOf(8)}`));
    const found = await Promise.all(names.map((name) => bodies.get(name, 1_000, never)));
    expect(found).toEqual(names.map(() => undefined));
    await bodies.put(names[0]!, Buffer.from('body'), never);
    expect(await bodies.get(names[0]!, 1_000, never)).toEqual(Buffer.from('body'));
  },
);

test('pages with the same content have one file, which only its user can read', async () => {
  const { store } = await readyStore(place);
  for (const name of ['/1', '/2']) {
    await store.set(name, textPage('/same'), store.version(), 60);
    expect(await bodyOf(store, name)).toBe(textOf('/same'));
  }
  const [file, ...others] = filesIn(place.path('bodies'));
  expect(others).toEqual([]);
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file!)).mode & 0o777).toBe(0o700);
  expect(readFileSync(file!, 'latin1')).not.toContain('same');
});

test('a folder that is full loses what was used longest ago, and no file of others', async () => {
  const bodies = place.bodies();
  const subFolder = place.path('bodies/1/ab');
  mkdirSync(subFolder, { recursive: true });
  const bytes = randomBytes(8_000);
  const most = SUB_FOLDER_BYTES / 8192;
  const hour = 3_600;
  const now = Date.now() / 1000;
  for (let count = 0; count < most - 4; count++) {
    await bodies.put(nameOf(count), bytes, never);
    // The first is the oldest, and has just been used.
    const file = join(subFolder, basename(nameOf(count)));
    utimesSync(file, now, now - (most - count) * hour);
    if (count === 0) expect(await bodies.get(nameOf(0), 10_000, never)).toEqual(bytes);
  }
  mkdirSync(join(subFolder, 'a folder'));
  const abandoned = join(subFolder, `${'0'.repeat(62)}.x.tmp`);
  writeFileSync(abandoned, bytes);
  utimesSync(abandoned, now, now - hour);
  // More than it may have.
  for (let count = 1_000; count < 1_000 + most; count++) {
    await bodies.put(nameOf(count), bytes, never);
    const sizes = filesIn(subFolder).map((file) => Math.ceil(statSync(file).size / 4096) * 4096);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SUB_FOLDER_BYTES);
    if (count === 1_004) {
      const left = readdirSync(subFolder).map((name) => Number(name));
      expect(left).toContain(0);
      expect(left).not.toContain(1);
      expect(left).toContain(most - 5);
    }
  }
  expect(readdirSync(subFolder)).toContain('a folder');
  expect(filesIn(subFolder)).not.toContain(abandoned);
});

test('a body that would fill a sub folder is not kept', async () => {
  const bodies = place.bodies();
  await bodies.put(nameOf(1), Buffer.alloc(SUB_FOLDER_BYTES / 4 + 1), never);
  expect(await bodies.get(nameOf(1), LEAST_BYTES, never)).toBeUndefined();
  await bodies.put(nameOf(1), Buffer.alloc(SUB_FOLDER_BYTES / 4), never);
  expect(await bodies.get(nameOf(1), LEAST_BYTES, never)).toBeDefined();
  expect(await bodies.get(nameOf(1), 100, never)).toBeUndefined();
});

test('a page whose body the last store does not keep is not shared: an earlier one stays', async () => {
  const { store, errors } = await readyStore(place);
  const before = Date.now() - 1_000;
  await store.set('/', textPage('/', { dateMs: before }), store.version(), 60);
  // It cannot be compressed.
  const body = randomBytes(SUB_FOLDER_BYTES / 4);
  await store.set('/', textPage('/', { body }), store.version(), 60);
  expect(await bodyOf(store, '/')).toBe(textOf('/'));
  expect(errors).toEqual([]);
});

test('a folder that cannot be used is reported once, and its pages come from the next', async () => {
  // Where a folder should be.
  writeFileSync(place.path('file'), '');
  const first = folderBodies({ folder: place.path('file/below'), maxBytes: LEAST_BYTES });
  const bodies = [first, place.bodies()];
  const { store, errors } = await readyStore({
    createStore: () => tieredPageStore(place.options({ bodies })),
    close: async () => {},
  });
  await store.set('/', textPage('/'), store.version(), 60);
  await vi.waitFor(async () => {
    expect(await bodyOf(store, '/')).toBe(textOf('/'));
    expect(errors).toHaveLength(1);
  }, POLL);
  expect(errors[0]).toMatchObject({ code: 'NG_SSR_STORE_UNAVAILABLE' });
  expect(errors[0]!.message).toContain(`in the folder ${place.path('file/below')} cannot be`);
  expect(String(errors[0]!.cause)).toContain('ENOTDIR');
});

test.skipIf(process.getuid?.() === 0)('a folder that may only be read is read', async () => {
  const { store } = await readyStore(place);
  await store.set('/', textPage('/'), store.version(), 60);
  const subFolder = dirname(filesIn(place.path('bodies'))[0]!);
  chmodSync(subFolder, 0o500);
  expect(await bodyOf(store, '/')).toBe(textOf('/'));
  chmodSync(subFolder, 0o700);
});

test('a folder may be deleted, and moved behind a link, at any time', async () => {
  const { store, errors } = await readyStore(place);
  await store.set('/', textPage('/'), store.version(), 60);
  rmSync(place.path('bodies'), { recursive: true });
  expect(await store.get('/')).toBeUndefined();
  mkdirSync(place.path('elsewhere'));
  symlinkSync(place.path('elsewhere'), place.path('bodies'));
  await store.set('/', textPage('/'), store.version(), 60);
  expect(await bodyOf(store, '/')).toBe(textOf('/'));
  expect(filesIn(place.path('elsewhere'))).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('a process that is killed while it writes leaves whole bodies', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  for (let round = 0; round < 3; round++) {
    const writers = [1, 2].map((writer) => {
      const parameter = JSON.stringify({ folder: place.folder, writer: `${round}-${writer}` });
      return fork(join(import.meta.dirname, 'writer.ts'), [parameter], { execArgv: [] });
    });
    await Promise.all(
      writers.map(async (child) => {
        const exited = once(child, 'exit');
        // Anywhere in a write, after some that are done.
        for (let left = 1 + random.below(5); left > 0; left--) {
          await Promise.race([once(child, 'message'), exited]);
          if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
        }
        for (let turns = random.below(2_000); turns > 0; turns--) await new Promise(setImmediate);
        child.kill('SIGKILL');
        await exited;
      }),
    );
    const { store, errors } = await readyStore(place);
    let found = 0;
    for (const writer of [1, 2]) {
      for (let number = 0; number < 60; number++) {
        const name = `/${round}-${writer}/${number}`;
        const body = await bodyOf(store, name);
        if (body === undefined) continue;
        expect(body).toBe(textOf(name));
        found++;
      }
    }
    expect(found, `seed ${seed}`).toBeGreaterThan(0);
    // Neither is a file that is not whole under the name of a body.
    expect(errors).toEqual([]);
    await store.close();
  }
});
