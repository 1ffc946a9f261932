import type { PageStore } from '@ng-ssr/core';
import { LIFE_SIGN_MS } from '@ng-ssr/core/store';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyOf, openStore, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

const timeoutMs = 200;
const unavailable = expect.objectContaining({ code: 'NG_SSR_STORE_UNAVAILABLE' });

/** Whether everything a store does is answered in this turn of the event loop, and without Redis. */
async function isAway(store: PageStore): Promise<boolean> {
  let answers = 0;
  const count = (): void => void answers++;
  void store.get('/').then((found) => found === undefined && count());
  void store.lease('/', '/page').then((lease) => lease === undefined && count());
  void store.set('/', page('lost'), store.version(), 60).then(count);
  void store.delete('/').then(count);
  void store.purge({ path: '/' }).catch(count);
  await new Promise(setImmediate);
  return answers === 5;
}

/** Until what is set is found again. */
async function expectBack(store: PageStore): Promise<void> {
  await vi.waitFor(async () => {
    await store.set('/back', page('back'), store.version(), 60);
    expect(await bodyOf(store, '/back')).toBe('back');
  });
}

describe.skipIf(isRedisServerMissing())('outages', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterEach(async () => {
    server.resume();
    await server.restart();
  });
  afterAll(() => server?.stop());

  test('a Redis that is paused costs one timeout, and is used again when it resumes', async () => {
    const { store, errors } = await readyStore(server, { timeoutMs });
    await store.set('/', page('before'), store.version(), 60);
    server.pause();
    const waiting = Array.from({ length: 100 }, () => store.get('/'));
    expect(await Promise.all(waiting)).toEqual(Array(100).fill(undefined));
    expect(await isAway(store)).toBe(true);
    await vi.waitFor(() => expect(errors).toEqual([unavailable]));
    expect(await isAway(store)).toBe(true);
    server.resume();
    await vi.waitFor(async () => expect(await bodyOf(store, '/')).toBe('before'));
    expect(errors).toHaveLength(1);
    // After a recovery, an outage is news.
    server.pause();
    await vi.waitFor(() => expect(errors).toHaveLength(2));
  });

  test('a pause that is short is no outage', async () => {
    const { store, errors } = await readyStore(server, { timeoutMs: 50 });
    await store.set('/', page('before'), store.version(), 60);
    server.pause();
    expect(await store.get('/')).toBeUndefined();
    server.resume();
    await vi.waitFor(async () => expect(await bodyOf(store, '/')).toBe('before'));
    expect(errors).toEqual([]);
  });

  test('a Redis that restarts empty is reported once and used again', async () => {
    const one = await readyStore(server, { timeoutMs });
    const other = await readyStore(server, { timeoutMs });
    const before = one.store.version();
    await one.store.purge({ tag: 'products', hard: true });
    await vi.waitFor(() => expect(other.purges).toHaveLength(1));
    for (let outages = 1; outages <= 2; outages++) {
      await server.kill();
      await vi.waitFor(() => {
        expect(one.errors).toHaveLength(outages);
        expect(other.errors).toHaveLength(outages);
      });
      expect(await isAway(one.store)).toBe(true);
      await server.restart();
      await Promise.all([expectBack(one.store), expectBack(other.store)]);
      // The purge was lost with the rest; those who know it have given it back.
      await other.store.set('/', page('old'), before, 60);
      const { store } = await readyStore(server);
      expect(await store.get('/')).toBeUndefined();
      await one.store.purge({ tag: `after-${outages}` });
      await vi.waitFor(
        () => expect(other.purges).toContainEqual({ tag: `after-${outages}` }),
        5_000,
      );
    }
    expect([...one.errors, ...other.errors]).toEqual(Array(4).fill(unavailable));
    expect(one.errors[0]!.cause).toBeInstanceOf(Error);
  });

  test('a Redis that restarts and is filled by others makes pages stale, not gone', async () => {
    const one = await readyStore(server, { timeoutMs });
    server.pause();
    await vi.waitFor(() => expect(one.errors).toHaveLength(1));
    server.resume();
    await server.redis.flushAll();
    const other = await readyStore(server);
    await vi.waitFor(() => expect(one.purges).toEqual([{ prefix: '/' }]));
    expect(other.purges).toEqual([]);
  });

  test('a Redis that is not there at the start is used when it comes', async () => {
    await server.kill();
    const { store, errors } = openStore(server, { timeoutMs });
    expect(await isAway(store)).toBe(true);
    await vi.waitFor(() => expect(errors).toEqual([unavailable]));
    expect(String(errors[0]!.cause)).toContain('ECONNREFUSED');
    await server.restart();
    await expectBack(store);
    expect(errors).toHaveLength(1);
  });

  test('a full Redis is read, and reported once', async () => {
    const { store, errors } = await readyStore(server, { timeoutMs });
    await store.set('/', page('before'), store.version(), 60);
    await server.redis.configSet('maxmemory', '1');
    for (let count = 0; count < 10; count++) {
      await store.set('/new', page('new'), store.version(), 60);
      expect(await store.lease('/new', '/page')).toBeUndefined();
      expect(await bodyOf(store, '/')).toBe('before');
    }
    expect(errors).toEqual([unavailable]);
    expect(errors[0]!.message).toContain('rejects the command "set"');
    const started = openStore(server, { timeoutMs });
    await vi.waitFor(async () => expect(await bodyOf(started.store, '/')).toBe('before'));
    await server.redis.configSet('maxmemory', '0');
    await expectBack(store);
    await store.purge({ path: '/' });
    expect(errors).toHaveLength(1);
  });

  test('a Redis that is full now and then is reported once', async () => {
    const { store, errors } = await readyStore(server, { timeoutMs: 2_000 });
    await server.redis.configSet('maxmemory-policy', 'noeviction');
    for (let count = 0; count < 20; count++) {
      await server.redis.configSet('maxmemory', '1');
      await store.set('/', page(`refused ${count}`), store.version(), 60);
      expect(await store.lease('/', '/page')).toBeUndefined();
      await server.redis.configSet('maxmemory', '0');
      await store.set('/', page(`taken ${count}`), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe(`taken ${count}`);
      const lease = await store.lease('/', '/page');
      if (typeof lease === 'object') await lease.release();
      expect(lease).toHaveProperty('release');
    }
    expect(errors).toEqual([unavailable]);
  });

  test('a full Redis takes purges', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    await one.store.set('/', page('before'), one.store.version(), 60);
    await server.redis.configSet('maxmemory-policy', 'noeviction');
    await server.redis.configSet('maxmemory', '1');
    await one.store.purge({ path: '/products/1', hard: true });
    expect(await one.store.get('/')).toBeUndefined();
    expect(await other.store.get('/')).toBeUndefined();
    await vi.waitFor(() => expect(other.purges).toEqual([{ path: '/products/1', hard: true }]));
  });

  describe('a purge that Redis refuses', () => {
    const url = (): string => server.url.replace('//', '//reader:secret@');
    const allow = (commands: string): Promise<unknown> =>
      server.redis.sendCommand(`ACL SETUSER reader ${commands}`.split(' '));
    const refuseZAdd = 'reset on >secret ~* &* +@all -zadd';

    test('is one for this process at once, and for all when Redis takes it', async () => {
      await allow('reset on >secret ~* &* +@all');
      const [one, other] = [await readyStore(server, { url: url() }), await readyStore(server)];
      const put = async (key: string, tag: string): Promise<void> =>
        other.store.set(key, page(key, { path: key, tags: [tag] }), other.store.version(), 60);
      for (const [key, tag] of [
        ['/hard', 'hard'],
        ['/soft', 'soft'],
        ['/kept', 'kept'],
      ] as const) {
        await put(key, tag);
      }
      await allow(refuseZAdd);
      await expect(one.store.purge({ tag: 'hard', hard: true })).rejects.toEqual(unavailable);
      await expect(one.store.purge({ path: '/soft' })).rejects.toEqual(unavailable);
      expect(await one.store.get('/hard')).toBeUndefined();
      expect(await one.store.get('/soft')).toMatchObject({ isPurged: true });
      expect(await one.store.get('/kept')).toMatchObject({ isPurged: false });
      // Nor is it one whose render may have begun before the purge.
      await put('/hard', 'hard');
      expect(await one.store.get('/hard')).toBeUndefined();
      expect(other.purges).toEqual([]);

      await allow('reset on >secret ~* &* +@all');
      await vi.waitFor(
        () => expect(other.purges).toEqual([{ tag: 'hard', hard: true }, { path: '/soft' }]),
        20_000,
      );
      expect(await other.store.get('/hard')).toBeUndefined();
      await put('/hard', 'hard');
      await vi.waitFor(async () => expect(await bodyOf(one.store, '/hard')).toBe('/hard'));
    });

    test('is remembered with many others in bounded memory, and none is forgotten', async () => {
      await allow(refuseZAdd);
      const one = await openStore(server, { url: url() });
      const other = await readyStore(server);
      await other.store.set('/', page('old'), other.store.version(), 60);
      await expect(one.store.purge({ path: '/products/1', hard: true })).rejects.toEqual(
        unavailable,
      );
      for (let count = 0; count < 10_500; count += 500) {
        await Promise.allSettled(
          Array.from({ length: 500 }, (_, index) => one.store.purge({ tag: `t${count + index}` })),
        );
      }
      expect(await one.store.get('/')).toBeUndefined();
    });
  });

  test('a purge while Redis is away is made good when it is back', async () => {
    const [one, other] = [
      await readyStore(server, { timeoutMs }),
      await readyStore(server, { timeoutMs }),
    ];
    await one.store.set('/', page('before'), one.store.version(), 600);
    server.pause();
    await vi.waitFor(async () => expect(await isAway(one.store)).toBe(true));
    await expect(one.store.purge({ tag: 'products', hard: true })).rejects.toEqual(unavailable);
    server.resume();
    await vi.waitFor(
      () => expect(other.purges).toContainEqual({ tag: 'products', hard: true }),
      10_000,
    );
    expect(await one.store.get('/')).toBeUndefined();
    expect(await other.store.get('/')).toBeUndefined();
  });

  test('a server that repeats what it was sent reveals no password', async () => {
    const stranger = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () =>
        socket.write("-ERR unknown command 'AUTH', with args beginning with: 'secret-word'\r\n"),
      );
    }).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    const url = `redis://:secret-word@127.0.0.1:${port}`;
    const { errors } = openStore(server, { timeoutMs, url });
    await vi.waitFor(() => expect(errors).toEqual([unavailable]));
    expect(inspect(errors, { depth: null, showHidden: true })).not.toContain('secret-word');
  });

  test('a password that is wrong is reported once', async () => {
    await server.redis.configSet('requirepass', 'right');
    const { store, errors } = openStore(server, {
      timeoutMs,
      url: server.url.replace('//', '//:wrong-password@'),
    });
    await vi.waitFor(() => expect(errors).toEqual([unavailable]));
    expect(await isAway(store)).toBe(true);
    expect(errors[0]!.message).not.toContain('wrong-password');
    expect(String(errors[0]!.cause)).toContain('WRONGPASS');
  });

  describe('behind a bad network', () => {
    let proxy: Proxy;
    beforeAll(async () => {
      proxy = await Proxy.start(server.url);
    });
    afterEach(() => (proxy.delayMs = 0));
    afterAll(() => proxy?.stop());

    test('a Redis that answers too late is soon not waited for', async () => {
      const { store, errors } = await readyStore(server, { timeoutMs: 100, url: proxy.url });
      await store.set('/', page('before'), store.version(), 60);
      proxy.delayMs = 150;
      await vi.waitFor(() => expect(errors).toEqual([unavailable]));
      expect(await isAway(store)).toBe(true);
      proxy.delayMs = 0;
      await vi.waitFor(async () => expect(await bodyOf(store, '/')).toBe('before'));
      expect(errors).toHaveLength(1);
    });

    test('a connection on which no more data arrives is replaced', async () => {
      const { store, errors } = await readyStore(server, { timeoutMs, url: proxy.url });
      proxy.freeze();
      expect(await store.get('/')).toBeUndefined();
      await vi.waitFor(() => expect(errors).toEqual([unavailable]));
      // New connections go through, and TCP would not know of the old one for many minutes.
      await expectBack(store);
      await vi.waitFor(async () => {
        const { store: other } = openStore(server);
        await vi.waitFor(() => other.purge({ tag: 'news' }));
        expect(proxy.connections).toBe(2);
      });
    });

    test('replies of a server that is not Redis do no harm', async () => {
      const stranger = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n$-5\r\n*9\r\n'));
      }).listen(0, '127.0.0.1');
      await once(stranger, 'listening');
      onTestFinished(() => void stranger.close());
      const url = `redis://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
      const { store, errors } = openStore(server, { timeoutMs, url });
      await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0));
      expect(await store.get('/')).toBeUndefined();
      expect(errors).toEqual(errors.map(() => unavailable));
    });
  });

  test('a lease that was granted too late is given back', async () => {
    const one = await readyStore(server, { timeoutMs: 50, leaseMs: 60_000 });
    const other = await readyStore(server);
    await server.redis.sendCommand(['CLIENT', 'PAUSE', '120', 'ALL']);
    expect(await one.store.lease('/', '/page')).toBeUndefined();
    // Redis grants it when the pause has ended, and notes the path.
    await vi.waitFor(async () => {
      expect(await server.redis.keys('ng-ssr:*:path:*')).toHaveLength(1);
    });
    // It would also run out. Each answer of Redis says how long it still has: it goes before that.
    let leftMs = LIFE_SIGN_MS;
    while (typeof (await other.store.lease('/', '/page')) !== 'object') {
      const [key] = await server.redis.keys('ng-ssr:build:*:lease:*');
      const now = key === undefined ? 0 : await server.redis.pTTL(key);
      if (now > 0) leftMs = now;
      expect(leftMs, 'it was left to run out').toBeGreaterThan(LIFE_SIGN_MS / 4);
    }
  });

  test('a long render holds the event loop, and no answer is late for it', async () => {
    const { store, errors } = await readyStore(server, { timeoutMs: 300 });
    await store.set('/', page('before'), store.version(), 60);
    const found = bodyOf(store, '/');
    block(900);
    expect(await found).toBe('before');
    const next = bodyOf(store, '/');
    setImmediate(() => setImmediate(() => block(900)));
    expect(await next).toBe('before');
    expect(errors).toEqual([]);
  });

  test('closing ends a store with what is on its way, whatever Redis does', async () => {
    const one = await readyStore(server, { timeoutMs });
    await one.store.set('/', page('first'), one.store.version(), 60);
    void one.store.set('/', page('last'), one.store.version(), 60);
    await one.store.close();
    const { store } = await readyStore(server, { timeoutMs });
    expect(await bodyOf(store, '/')).toBe('last');
    server.pause();
    void store.get('/');
    await store.close();
    await store.close();
    expect(await isAway(store)).toBe(true);
    await server.kill();
    const { store: unconnected, errors } = openStore(server, { timeoutMs });
    await unconnected.close();
    expect(errors).toEqual([]);
  });

  test.each(['there', 'away'])(
    'a closed store keeps no process alive (Redis is %s)',
    async (where) => {
      if (where === 'away') await server.kill();
      const program = `
      import { redisPageStore } from '@ng-ssr/redis';
      const store = redisPageStore({ url: '${server.url}' });
      store.open({ buildId: 'build', onPurge() {}, onError() {} });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await store.close();`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        cwd: import.meta.dirname,
        stdio: 'inherit',
      });
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );
});

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Between a store and Redis: delays what Redis says, or loses it. */
class Proxy {
  delayMs = 0;
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #frozen = new WeakSet<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(url: string): Promise<Proxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new Proxy(server);
    server.on('connection', (socket) => proxy.#join(socket, connect(Number(new URL(url).port))));
    return proxy;
  }

  /** How many pass data on. */
  get connections(): number {
    return [...this.#sockets].filter((socket) => !this.#frozen.has(socket)).length;
  }

  /** Nothing goes through the connections that there are, and they do not end. */
  freeze(): void {
    for (const socket of this.#sockets) this.#frozen.add(socket);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(socket: Socket, redis: Socket): void {
    this.#sockets.add(socket);
    socket.on('data', (chunk) => {
      if (!this.#frozen.has(socket)) redis.write(chunk);
    });
    redis.on('data', (chunk) => {
      const pass = (): void => {
        if (!this.#frozen.has(socket)) socket.write(chunk);
      };
      if (this.delayMs === 0) pass();
      else setTimeout(pass, this.delayMs);
    });
    for (const [one, other] of [
      [socket, redis],
      [redis, socket],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
