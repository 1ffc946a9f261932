import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import type { HostCheck, SsrOptions } from '@ng-ssr/core';
import { html, storedServer, type StoredServer } from '../pages/stored-server.ts';
import { countWork } from '../path/count-work.ts';
import { plainExchange } from '../plain-exchange.ts';

afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;

/** A server that asks a function, and the hosts that the function was asked for. */
function askingServer(
  check: HostCheck,
  options: Partial<SsrOptions> = {},
): StoredServer & {
  readonly asked: string[];
  readonly statuses: (host: string) => Promise<number>;
} {
  const asked: string[] = [];
  const server = storedServer(
    (request) => html(new URL(request.url).origin, { 'cache-control': 's-maxage=3600' }),
    {
      allowedHosts: (host) => {
        asked.push(host);
        return check(host);
      },
      ...options,
    },
  );
  return {
    ...server,
    asked,
    statuses: async (host) => (await server.get('/a', { host })).status,
  };
}

const isTenant = async (host: string): Promise<boolean> => Promise.resolve(host.endsWith('.shop'));

/** Hosts that are remembered by time. */
function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'Date'] });
}

test('a host is asked for once, however it is spelt and however many ask', async () => {
  const server = askingServer(isTenant);
  const spellings = ['a.shop', 'A.Shop', 'a.shop:80', 'a.shop:4000', 'a.shop.', 'A.SHOP.:4000'];
  const ask = (host: string) => server.ask({ ...plainExchange('/a', { host }), localPort: 4000 });
  const answers = await Promise.all(spellings.map(ask));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(server.asked).toEqual(['a.shop']);
  const origins = ['http://a.shop', 'http://a.shop:4000'];
  expect(server.requests.map(({ url }) => new URL(url).origin)).toEqual(origins);
  expect((await ask('b.shop:8080')).status).toBe(400);
  await server.get('/a', { host: '[0:0::1]:80' });
  await server.get('/a', { host: 'XN--MNCHEN-3YA.example' });
  expect(server.asked.slice(1)).toEqual(['[::1]', 'xn--mnchen-3ya.example']);
});

test('a host that was answered for in time leaves no timer', async () => {
  fakeTime();
  const server = askingServer(isTenant);
  expect(await server.statuses('a.shop')).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

test('a hit of a remembered host is synchronous, and costs what it does with a list', async () => {
  const { handler, get } = askingServer(isTenant);
  await get('/a', { host: 'a.shop' });
  await get('/a', { host: 'a.shop' });
  const exchange = plainExchange('/a', { host: 'a.shop' });
  let status: number | undefined;
  const work = countWork(() => (status = handler.answer(exchange)?.status));
  expect([status, work]).toEqual([200, {}]);
});

test('a function that returns a boolean is answered synchronously', async () => {
  const server = askingServer((host) => host === 'a.shop');
  const refused = server.handler.answer(plainExchange('/a', { host: 'b.shop' }));
  expect(refused).toBeUndefined();
  expect(await server.statuses('b.shop')).toBe(400);
  expect(await server.statuses('a.shop')).toBe(200);
  expect(server.asked).toEqual(['b.shop', 'a.shop']);
});

test('a refused host gets 400 and costs one call; it begins ten seconds later', async () => {
  fakeTime();
  const tenants = new Set<string>();
  const server = askingServer((host) => Promise.resolve(tenants.has(host)));
  for (let i = 0; i < 5; i++) expect(await server.statuses('new.shop')).toBe(400);
  tenants.add('new.shop');
  expect(await server.statuses('new.shop')).toBe(400);
  expect(server.asked).toHaveLength(1);
  vi.advanceTimersByTime(10_001);
  expect(await server.statuses('new.shop')).toBe(200);
  expect(server.errors.map(({ code, message }) => [code, message])).toEqual([
    [
      'NG_SSR_HOST_NOT_ALLOWED',
      'The function allowedHosts refused the host new.shop. Requests for it get 400. ' +
        'Each host is reported once.',
    ],
  ]);
});

test('a removed tenant ends after a minute and the request that asks, without a wait', async () => {
  fakeTime();
  const tenants = new Set(['a.shop']);
  const server = askingServer((host) => Promise.resolve(tenants.has(host)));
  expect(await server.statuses('a.shop')).toBe(200);
  tenants.clear();
  vi.advanceTimersByTime(MINUTE + 1);
  const hit = server.handler.answer(plainExchange('/a', { host: 'a.shop' }));
  expect(hit?.status).toBe(200);
  await vi.advanceTimersByTimeAsync(1);
  expect(await server.statuses('a.shop')).toBe(400);
  expect(server.asked).toHaveLength(2);
});

test('a host without requests for two minutes is asked for before it is answered', async () => {
  fakeTime();
  const tenants = new Set(['a.shop']);
  const server = askingServer((host) => Promise.resolve(tenants.has(host)));
  expect(await server.statuses('a.shop')).toBe(200);
  tenants.clear();
  vi.advanceTimersByTime(2 * MINUTE + 1);
  expect(await server.statuses('a.shop')).toBe(400);
});

test.each<[string, HostCheck]>([
  ['a rejection', () => Promise.reject(new Error('no database'))],
  [
    'a throw',
    () => {
      throw new Error('no database');
    },
  ],
  ['a value that is no boolean', (() => Promise.resolve({ id: 1 })) as unknown as HostCheck],
  ['nothing', (() => undefined) as unknown as HostCheck],
])('%s is no verdict: 503, reported once, and asked again', async (_name, check) => {
  const server = askingServer(check);
  for (let i = 0; i < 3; i++) {
    const { status, header } = await server.get('/a', { host: 'a.shop' });
    expect([status, header('retry-after'), header('cache-control')]).toEqual([
      503,
      '1',
      'no-store',
    ]);
  }
  expect(server.asked).toHaveLength(3);
  expect(server.requests).toHaveLength(0);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_HOST_UNDECIDED']);
  expect(server.errors[0]?.message).toMatch(/^allowedHosts did not decide on the host a\.shop: /);
});

test('a function that hangs is waited for five seconds', async () => {
  fakeTime();
  const server = askingServer(() => new Promise(() => undefined));
  const answer = server.get('/a', { host: 'a.shop' });
  await vi.advanceTimersByTimeAsync(5000);
  expect((await answer).status).toBe(503);
  expect(server.errors[0]?.message).toContain('no result within 5000 ms');
});

test('an outage of the function leaves the hosts that it has allowed, for an hour', async () => {
  fakeTime();
  let isDown = false;
  const server = askingServer((host) =>
    isDown ? Promise.reject(new Error('no database')) : isTenant(host),
  );
  expect(await server.statuses('a.shop')).toBe(200);
  isDown = true;
  for (let minute = 1; minute < 60; minute++) {
    await vi.advanceTimersByTimeAsync(MINUTE - 1000);
    expect(await server.statuses('a.shop'), `minute ${minute}`).toBe(200);
    expect(await server.statuses('b.shop'), `minute ${minute}`).toBe(503);
  }
  expect(server.asked.length).toBeLessThan(200);
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(await server.statuses('a.shop')).toBe(503);
  isDown = false;
  expect(await server.statuses('a.shop')).toBe(200);
});

test('an outage in which the function hangs delays no request of an allowed host after the first', async () => {
  fakeTime();
  let isDown = false;
  const server = askingServer((host) => (isDown ? new Promise(() => undefined) : isTenant(host)));
  expect(await server.statuses('a.shop')).toBe(200);
  isDown = true;
  for (let i = 0; i < 20; i++) {
    await vi.advanceTimersByTimeAsync(MINUTE - 1000);
    const hit = server.handler.answer(plainExchange('/a', { host: 'a.shop' }));
    expect(hit?.status).toBe(200);
  }
});

test('at most 100 unknown hosts are asked for at a time; an allowed one is always asked for', async () => {
  fakeTime();
  const settle: (() => void)[] = [];
  let isOpen = true;
  const server = askingServer((host) =>
    isOpen
      ? isTenant(host)
      : new Promise((resolve) => settle.push(() => resolve(host.endsWith('.shop')))),
  );
  expect(await server.statuses('a.shop')).toBe(200);
  isOpen = false;
  vi.advanceTimersByTime(3 * MINUTE);
  const flood = Array.from({ length: 150 }, (_, i) => server.statuses(`h${i}.example`));
  const own = server.statuses('a.shop');
  expect(settle).toHaveLength(101);
  for (const each of settle) each();
  const statuses = await Promise.all(flood);
  expect(statuses.filter((status) => status === 400)).toHaveLength(100);
  expect(statuses.filter((status) => status === 503)).toHaveLength(50);
  expect(await own).toBe(200);
});

test('hosts without end neither displace an allowed host nor stay in memory', async () => {
  const server = askingServer((host) => host === 'a.shop', { onError: () => undefined });
  expect(await server.statuses('a.shop')).toBe(200);
  for (let i = 0; i < 20_000; i++) {
    server.handler.answer(plainExchange('/a', { host: `h${i}.example` }));
  }
  expect(await server.statuses('a.shop')).toBe(200);
  expect(server.asked.filter((host) => host === 'a.shop')).toHaveLength(1);
  // The newest are remembered, the oldest are not.
  server.asked.length = 0;
  await server.statuses('h19999.example');
  await server.statuses('h0.example');
  expect(server.asked).toEqual(['h0.example']);
});

test('a malformed host, and hosts of the build, are not asked for', async () => {
  const asked: string[] = [];
  const engine = Object.assign(() => html('page', {}), { allowedHosts: () => ['built.example'] });
  const server = storedServer(() => null, {
    engine,
    allowedHosts: (host) => {
      asked.push(host);
      return false;
    },
  });
  expect((await server.get('/', { host: 'a@b' })).status).toBe(400);
  expect((await server.get('/', { host: 'Built.example:80' })).status).toBe(200);
  expect(asked).toEqual([]);
});

test('the function runs outside of the request that asks first', async () => {
  const store = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const server = askingServer((host) => {
    seen.push(store.getStore());
    return isTenant(host);
  });
  await store.run('of the request', () => server.statuses('a.shop'));
  expect(seen).toEqual([undefined]);
});

test('an engine gets every host as allowed, because the server has asked', async () => {
  const setups: unknown[] = [];
  const engine = Object.assign(() => html('page', {}), {
    setup: (setup: unknown) => void setups.push(setup),
    allowedHosts: () => ['built.example'],
  });
  const server = storedServer(() => null, { engine, allowedHosts: isTenant });
  await server.get('/', { host: 'a.shop' });
  expect(setups).toMatchObject([{ allowedHosts: ['built.example', '*'], areHostsAsked: true }]);
});

test('an unsafe request to a route invalidates when its host is decided', async () => {
  const { handler, get, requests } = askingServer(isTenant);
  await get('/a', { host: 'a.shop' });
  const post = plainExchange('/a', { host: 'A.shop' }, 'POST');
  expect(handler.answer(post)).toBeUndefined();
  handler.answered(post, { status: 200, header: () => undefined });
  await Promise.resolve();
  await get('/a', { host: 'a.shop' });
  expect(requests).toHaveLength(2);
});
