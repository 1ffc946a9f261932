import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { bodyOf } from '@ng-ssr/conformance/page-store';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openMachine, POLL, textOf, textPage } from './machines.ts';
import { Place } from './place.ts';
import { Proxy, type Weather } from './proxy.ts';
import { S3Server } from './s3-server.ts';

let s3: S3Server;
let proxy: Proxy;
let place: Place;

beforeAll(async () => void (s3 = await S3Server.start()));
afterAll(() => s3.stop());
beforeEach(async ({ onTestFinished }) => {
  proxy = await Proxy.start(s3.port);
  place = new Place();
  // After the stores, which tests close.
  onTestFinished(() => place.close());
});
afterEach(() => proxy.stop());

const unavailable = expect.objectContaining({ code: 'NG_SSR_STORE_UNAVAILABLE' });
const BAD: readonly Weather[] = [
  'refusing',
  'cutting',
  'damaging',
  'forbidden',
  'overloaded',
  'holding',
];

test.each(BAD)('a bucket that is %s is a miss, and is used again', async (weather) => {
  // Nothing else is slow here.
  const timeoutMs = weather === 'holding' ? 200 : 10_000;
  const one = await openMachine({ place, s3, proxy, folder: 'one', writeTimeoutMs: 200 });
  const other = await openMachine({ place, s3, proxy, timeoutMs });
  const { store } = one;
  await store.set('/first', textPage('/first'), store.version(), 60);
  await vi.waitFor(async () => {
    expect(await bodyOf(other.store, '/first')).toBe(textOf('/first'));
  }, POLL);
  other.errors.length = 0;

  proxy.turn(weather);
  await vi.waitFor(async () => {
    expect(await other.store.get('/first')).toBeUndefined();
    expect(other.errors).toEqual([unavailable]);
  }, POLL);
  expect(other.errors[0]!.message).toContain(`in the bucket http://127.0.0.1:${proxy.port}/pages`);
  expect(inspect(other.errors, { depth: null, showHidden: true })).not.toContain('S3RVER');
  // Its machine has it.
  expect(await bodyOf(store, '/first')).toBe(textOf('/first'));
  await store.set('/second', textPage('/second'), store.version(), 60);
  expect([undefined, textOf('/second')]).toContain(await bodyOf(store, '/second'));

  if (weather === 'holding') proxy.release();
  else proxy.turn('fine');
  await vi.waitFor(async () => {
    expect(await bodyOf(other.store, '/first')).toBe(textOf('/first'));
  }, POLL);
  await vi.waitFor(async () => {
    await store.set('/third', textPage('/third'), store.version(), 60);
    expect(await bodyOf(other.store, '/third')).toBe(textOf('/third'));
  }, POLL);
  // Of a busy machine, 200 ms may be too short.
  if (weather !== 'holding') expect(other.errors).toHaveLength(1);
  expect(one.errors.length).toBeLessThan(2);
});

test('a bucket that answers after two seconds is not waited for, and gets its pages nevertheless', async () => {
  const one = await openMachine({ place, s3, proxy, writeTimeoutMs: 50 });
  const other = await openMachine({ place, s3, proxy, timeoutMs: 100 });
  const third = await openMachine({ place, s3 });
  await third.store.set('/first', textPage('/first'), third.store.version(), 60);
  proxy.delayMs = 2_000;
  await vi.waitFor(async () => {
    expect(await other.store.get('/first')).toBeUndefined();
    expect(other.errors).toEqual([unavailable]);
  }, POLL);
  expect(String(other.errors[0]!.cause)).toContain('no response within 100 ms');
  await one.store.set('/slow', textPage('/slow'), one.store.version(), 60);
  await vi.waitFor(async () => {
    expect(await bodyOf(third.store, '/slow')).toBe(textOf('/slow'));
  }, POLL);
  expect(one.errors).toEqual([]);
});

test('a failure among other calls is one miss, three in a row are an outage', async () => {
  let failures = 0;
  const folder = place.bodies();
  const get: typeof folder.get = async (...parameters) => {
    if (failures-- > 0) throw new Error('503 SlowDown');
    return folder.get(...parameters);
  };
  const bodies = { name: 'in a test', timeoutMs: 10_000, get, put: folder.put.bind(folder) };
  const open = (): ReturnType<typeof openMachine> => openMachine({ place, s3, bodies: [bodies] });
  const { store, errors } = await open();
  await store.set('/', textPage('/'), store.version(), 60);
  expect(await bodyOf(store, '/')).toBe(textOf('/'));
  for (failures = 2; failures > 0;) expect(await store.get('/')).toBeUndefined();
  expect(await bodyOf(store, '/')).toBe(textOf('/'));
  expect(errors).toEqual([]);
  for (failures = 3; failures > 0;) expect(await store.get('/')).toBeUndefined();
  expect(errors).toEqual([unavailable]);
  // The first call of all: its options are wrong, or its keys.
  const other = await open();
  failures = 1;
  expect(await other.store.get('/')).toBeUndefined();
  expect(other.errors).toEqual([unavailable]);
});

test('a bucket that is down is left alone', async () => {
  const { store, errors } = await openMachine({ place, s3, proxy });
  await store.set('/', textPage('/'), store.version(), 60);
  proxy.turn('forbidden');
  const before = proxy.requests;
  for (let count = 0; count < 200; count++) expect(await store.get('/')).toBeUndefined();
  // It is tried after half a second, then after a second, then after two.
  expect(proxy.requests - before).toBeLessThan(100);
  expect(errors).toEqual([unavailable]);
  expect(String(errors[0]!.cause)).toContain('403 AccessDenied: the keys need s3:GetObject');
});

test('no process finds a page whose body is still on its way', async () => {
  const one = await openMachine({ place, s3, proxy, writeTimeoutMs: 50 });
  const index = place.index();
  index.open({ buildId: 'build.tiered-1', onPurge() {}, onError() {} });
  try {
    await vi.waitFor(() => expect(index.version()).toBeGreaterThan(0), POLL);
    proxy.turn('holding');
    const { requests } = proxy;
    await one.store.set('/', textPage('/'), one.store.version(), 60);
    await vi.waitFor(() => expect(proxy.requests).toBeGreaterThan(requests), POLL);
    expect(await index.get('/')).toBeUndefined();
    proxy.release();
    await vi.waitFor(async () => expect(await index.get('/')).toBeDefined(), POLL);
    expect(await bodyOf(one.store, '/')).toBe(textOf('/'));
  } finally {
    await index.close();
  }
});

test('a page that is deleted while its body is on its way does not come back', async () => {
  const one = await openMachine({ place, s3, proxy, writeTimeoutMs: 50 });
  proxy.turn('holding');
  await one.store.set('/', textPage('/'), one.store.version(), 60);
  await one.store.delete('/');
  proxy.release();
  // It ends what is on its way.
  await one.store.close();
  const other = await openMachine({ place, s3 });
  expect(await other.store.get('/')).toBeUndefined();
});

test('a page whose body is on its way is removed from the memory of its process', async () => {
  const one = await openMachine({ place, s3, proxy, writeTimeoutMs: 50 });
  const other = await openMachine({ place, s3 });
  proxy.turn('holding');
  await one.store.set('/', textPage('/'), one.store.version(), 60);
  await other.store.invalidate!('/');
  await vi.waitFor(() => expect(one.purges).toEqual([{ path: '/', hard: true }]), POLL);
  proxy.release();
  await one.store.close();
  expect(await other.store.get('/')).toBeUndefined();
});

test.each(['here', 'elsewhere'])(
  'a page that is purged %s while its body is read is not used',
  async (where) => {
    const one = await openMachine({ place, s3 });
    const other = await openMachine({ place, s3, proxy });
    await one.store.set('/hard', textPage('/hard'), one.store.version(), 60);
    await one.store.set('/soft', textPage('/soft'), one.store.version(), 60);
    expect(await bodyOf(other.store, '/hard')).toBe(textOf('/hard'));
    proxy.turn('holding');
    const before = proxy.requests;
    const [hard, soft] = [other.store.get('/hard'), other.store.get('/soft')];
    await vi.waitFor(() => expect(proxy.requests - before).toBe(2), POLL);
    const purging = where === 'here' ? other : one;
    await purging.store.purge({ tag: '/hard', hard: true });
    await purging.store.purge({ tag: '/soft' });
    if (where === 'elsewhere') await vi.waitFor(() => expect(other.purges).toHaveLength(2), POLL);
    proxy.release();
    expect(await hard).toBeUndefined();
    expect(await soft).toMatchObject({ isPurged: true });
  },
);

test('pages for which there is no room are not kept in memory, and not shared', async () => {
  const { store, errors } = await openMachine({
    place,
    s3,
    proxy,
    writeTimeoutMs: 1,
    maxPendingBytes: 10_000,
  });
  proxy.turn('holding');
  const bytes = textPage('/00').body.byteLength;
  const names = Array.from({ length: 20 }, (_, at) => `/${String(at).padStart(2, '0')}`);
  for (const name of names) await store.set(name, textPage(name), store.version(), 60);
  proxy.release();
  await vi.waitFor(async () => expect(await bodyOf(store, '/00')).toBe(textOf('/00')), POLL);
  await store.close();
  const { store: again } = await openMachine({ place, s3 });
  const found = await Promise.all(names.map((name) => bodyOf(again, name)));
  expect(found.filter((body) => body !== undefined)).toHaveLength(Math.floor(10_000 / bytes));
  expect(errors).toEqual([]);
});

test('closing ends with what is on its way, and does not wait for a bucket that hangs', async () => {
  const errors: Error[] = [];
  let count = 0;
  // It waits for two seconds, in which a busy machine may not send a page.
  await vi.waitFor(async () => {
    const name = `/last/${count++}`;
    const one = await openMachine({ place, s3, proxy, writeTimeoutMs: 1 });
    void one.store.set(name, textPage(name), one.store.version(), 60);
    await one.store.close();
    errors.push(...one.errors);
    const { store } = await openMachine({ place, s3 });
    expect(await bodyOf(store, name)).toBe(textOf(name));
  }, POLL);
  const other = await openMachine({ place, s3, proxy, writeTimeoutMs: 1 });
  proxy.turn('holding');
  await other.store.set('/lost', textPage('/lost'), other.store.version(), 60);
  await other.store.close();
  await other.store.set('/lost', textPage('/lost'), 0, 60);
  expect(await other.store.get('/lost')).toBeUndefined();
  expect([...errors, ...other.errors]).toEqual([]);
});

test('a body that a machine has found in the bucket is copied to its folder', async () => {
  const one = await openMachine({ place, s3 });
  const other = await openMachine({ place, s3, proxy, folder: 'other' });
  await one.store.set('/', textPage('/'), one.store.version(), 60);
  expect(await bodyOf(other.store, '/')).toBe(textOf('/'));
  proxy.turn('refusing');
  // It is written in the background.
  await vi.waitFor(async () => expect(await bodyOf(other.store, '/')).toBe(textOf('/')), POLL);
});

test.each(['fine', 'holding'] as const)(
  'a closed store keeps no process alive (the bucket is %s)',
  async (weather) => {
    proxy.turn(weather);
    const bucket = JSON.stringify(s3.options({ port: proxy.port }));
    const program = `
    import { sqlitePageStore } from '@ng-ssr/sqlite';
    import { folderBodies, s3Bodies, tieredPageStore } from '@ng-ssr/tiered-store';
    const store = tieredPageStore({
      index: sqlitePageStore({ file: '${place.path('pages.db')}', maxBytes: 2 ** 26, timeoutMs: 10_000 }),
      bodies: [folderBodies({ folder: '${place.path('bodies')}', maxBytes: 2 ** 26 }), s3Bodies(${bucket})],
      writeTimeoutMs: 1,
    });
    store.open({ buildId: 'build', onPurge() {}, onError() {} });
    while (store.version() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const page = { status: 200, headers: [], body: Buffer.alloc(10_000), path: '/', tags: [], dateMs: Date.now() };
    const lifetime = { freshSeconds: 60, staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0 };
    await store.set('/', { ...page, ...lifetime }, store.version(), 60);
    await store.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      stdio: 'inherit',
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test('at most 32 bodies are written at once, also if a page is stored between two writes', async () => {
  let [running, most, isHeld] = [0, 0, true];
  const held: (() => void)[] = [];
  const put = async (): Promise<void> => {
    most = Math.max(most, ++running);
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    running--;
  };
  const bodies = { name: 'in a test', timeoutMs: 10_000, get: async () => undefined, put };
  const index = Object.assign(place.index(), { set: async () => {} });
  const { store } = await openMachine({ place, s3, index, bodies: [bodies], writeTimeoutMs: 1 });
  let stored = 0;
  const add = (): void => {
    const name = `/${stored++}`;
    void store.set(name, textPage(name), store.version(), 60);
  };
  for (let count = 0; count < 64; count++) add();
  for (let round = 0; round < 20; round++) {
    await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(32), POLL);
    held.shift()!();
    // The write ends in one of these turns, and the next one begins.
    for (let turn = 0; turn < 40; turn++) {
      await undefined;
      add();
    }
  }
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(32), POLL);
  expect(most).toBe(32);
  isHeld = false;
  for (const end of held) end();
});

test('while a store is filled, a page waits for a bucket that is slower than its time limits', async () => {
  const limits = { writeTimeoutMs: 1, timeoutMs: 1 };
  const one = await openMachine({ place, s3, proxy, ...limits, isFilling: true });
  const { store } = one;
  proxy.turn('holding');
  const order: string[] = [];
  const set = store.set('/slow', textPage('/slow'), store.version(), 60);
  const stored = set.then(() => order.push('stored'));
  await vi.waitFor(() => expect(proxy.requests).toBeGreaterThan(0), POLL);
  // Round trips, of which each takes a part of a millisecond.
  for (let trips = 0; trips < 50; trips++) await store.get(`/missing/${trips}`);
  order.push('released');
  proxy.release();
  await stored;
  expect(order).toEqual(['released', 'stored']);
  expect(await bodyOf(store, '/slow')).toBe(textOf('/slow'));
  expect(one.errors).toEqual([]);
});
