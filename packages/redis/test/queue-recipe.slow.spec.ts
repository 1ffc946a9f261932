import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Job, Queue, QueueEvents } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { DocsApi } from '../../conformance/test/processes/docs-api.ts';
import {
  docsFile,
  DocsServer,
  DocsWorkspace,
} from '../../conformance/test/processes/docs-server.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

const HEADING = 'Refresh pages from a queue';
const SITE = 'https://shop.example';
const PAGES = Array.from({ length: 6 }, (_, at) => `/products/${at}`);

/** The times of a worker, which a test would wait for. */
const QUICK = `export class Worker extends original.Worker {
  constructor(name, processor, options) {
    super(name, processor, { ...options, lockDuration: 500, stalledInterval: 300 });
  }
}`;

/** A busy machine is no outage. */
const PATIENT = `export const redisPageStore = () => original.redisPageStore({ timeoutMs: 10_000 });`;

type Change = { tag: string } | { urls: string[] };
interface Cms {
  productChanged(id: string): Promise<void>;
}

describe.skipIf(isRedisServerMissing())('the recipe for a queue', () => {
  let redis: RedisServer;
  let api: DocsApi;
  let workspace: DocsWorkspace;
  let queue: Queue<Change>;
  let events: QueueEvents;
  let cms: Cms;
  let servers: DocsServer[] = [];

  beforeAll(async () => {
    [redis, api] = await Promise.all([RedisServer.start(), DocsApi.start()]);
    await redis.redis.configSet('maxmemory-policy', 'noeviction');
    workspace = new DocsWorkspace(import.meta.url);
    workspace.linkAdapter('node');
    workspace.link('@ng-ssr/redis', PATIENT);
    workspace.link('bullmq', QUICK);
    workspace.write(
      'dist/shop/server/server.ts',
      docsFile('docs/recipes.md', HEADING, 'src/server.ts', 'node'),
    );
    workspace.write(
      'cms/product-changed.ts',
      docsFile('docs/recipes.md', HEADING, 'cms/product-changed.ts'),
    );
    process.env['QUEUE_URL'] = redis.url;
    const file = pathToFileURL(`${workspace.folder}/cms/product-changed.ts`).href;
    cms = (await import(/* @vite-ignore */ file)) as Cms;
    const connection = { url: redis.url };
    queue = new Queue<Change>('changes', { connection });
    events = new QueueEvents('changes', { connection });
    await events.waitUntilReady();
  });
  afterAll(async () => {
    await Promise.all([queue?.close(), events?.close()]);
    delete process.env['QUEUE_URL'];
    workspace?.remove();
    api?.stop();
    await redis?.stop();
  });
  beforeEach(async () => {
    servers = [await start(), await start()];
    // Each server has all pages in memory.
    for (const server of servers) {
      for (const path of PAGES) expect((await server.get(path)).text).toBe(api.pageOf(path));
    }
    api.reset();
  });
  afterEach(async () => {
    api.reset();
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await redis.redis.flushAll();
  });

  const start = (): Promise<DocsServer> =>
    DocsServer.start(workspace, { API: api.origin, REDIS_URL: redis.url, QUEUE_URL: redis.url });

  function add(change: Change, more: object = {}): Promise<Job<Change>> {
    const backoff = { type: 'fixed', delay: 200 };
    return queue.add('change', change, { attempts: 10, backoff, ...more });
  }

  const urlsOf = (...paths: readonly string[]): string[] => paths.map((path) => SITE + path);

  /** A process sends its old page once more after a soft purge. */
  async function expectNoOldPages(...of: readonly DocsServer[]): Promise<void> {
    for (const server of of) {
      for (const path of PAGES) {
        await expect
          .poll(async () => (await server.get(path)).text, { interval: 20 })
          .toBe(api.pageOf(path));
      }
    }
  }

  test('renders the pages of a job, and all processes have them', async () => {
    for (const path of PAGES.slice(0, 3)) api.change(path);
    const job = await add({ urls: urlsOf(...PAGES.slice(0, 3)) });
    await job.waitUntilFinished(events);
    expect(api.requests.toSorted()).toEqual(PAGES.slice(0, 3));
    await expectNoOldPages(...servers);
    // The others took the pages from the store.
    expect(api.requests).toHaveLength(3);
  });

  test('takes the job that the CMS adds, and leaves nothing in Redis', async () => {
    api.change('/products/4');
    const completed = new Promise((resolve) => events.once('completed', resolve));
    await cms.productChanged('4');
    await completed;
    await expectNoOldPages(...servers);
    expect(await queue.getJobCounts()).toMatchObject({ completed: 0, failed: 0, waiting: 0 });
  });

  test('with a tag, no process keeps an old page', async () => {
    for (const path of PAGES) api.change(path);
    await (await add({ tag: 'products' })).waitUntilFinished(events);
    await expectNoOldPages(...servers);
    expect(api.requests.toSorted()).toEqual(PAGES);
  });

  test('a purge returns what it touched', async () => {
    const [server] = servers;
    const purge = { tag: 'products' };
    expect(await server!.call('purge', purge, { count: true })).toEqual({
      here: PAGES.length,
      elsewhere: ['store'],
    });
    expect(await server!.call('purge', { path: '/products/7' }, { count: true })).toEqual({
      here: 0,
      elsewhere: ['store'],
    });
  });

  test('a page that fails is tried again, without those that did not', async () => {
    const [bad, ...good] = PAGES.slice(0, 3);
    for (const path of PAGES.slice(0, 3)) api.change(path);
    api.failing.add(bad!);
    api.onRequest = () => {
      if (api.requests.filter((path) => path === bad).length === 3) api.failing.clear();
    };
    const job = await add({ urls: urlsOf(...good, bad!) });
    await job.waitUntilFinished(events);
    expect(api.requests.toSorted()).toEqual([bad, bad, bad, ...good]);
    await expectNoOldPages(...servers);
  });

  test('a job whose process is killed twice is taken over', async () => {
    for (const path of PAGES) api.change(path);
    let killed = 0;
    const ended: Promise<unknown>[] = [];
    api.onRequest = async (path) => {
      if (path !== PAGES[2] || killed === 2) return;
      // The one that works is not known: both end, and a third takes over.
      killed++;
      const all = servers;
      servers = [];
      ended.push(
        Promise.all(all.map((server) => server.end('SIGKILL'))).then(async () => {
          servers = [await start()];
        }),
      );
      await ended.at(-1);
    };
    const job = await add({ urls: urlsOf(...PAGES) });
    await job.waitUntilFinished(events);
    await Promise.all(ended);
    expect(killed).toBe(2);
    await expectNoOldPages(...servers, await addServer());
  });

  async function addServer(): Promise<DocsServer> {
    servers.push(await start());
    return servers.at(-1)!;
  }

  test('a server that closes leaves the jobs to others, and ends', async () => {
    const [closing, other] = servers;
    await other!.end('SIGKILL');
    for (const path of PAGES) api.change(path);
    let release: (() => void) | undefined;
    const rendering = new Promise<void>((resolve) => (release = resolve));
    api.onRequest = (path) => path === PAGES[0] && rendering;
    const backoff = { type: 'fixed', delay: 60_000 };
    const jobs = await Promise.all(PAGES.map((path) => add({ urls: urlsOf(path) }, { backoff })));
    await expect.poll(() => api.requests).toContain(PAGES[0]);
    const ended = closing!.end('SIGTERM');
    await expect.poll(() => closing!.get('/').then(String, String)).toContain('ECONNREFUSED');
    release!();
    expect(await ended).toBe(0);
    // It may have taken one more, which it could not do.
    const tried = await queue.getDelayed();
    expect(tried.length).toBeLessThan(2);
    expect(await queue.getWaitingCount()).toBe(PAGES.length - 1 - tried.length);
    await Promise.all(tried.map((job) => job.promote()));
    const next = await addServer();
    await Promise.all(jobs.map((job) => job.waitUntilFinished(events)));
    await expectNoOldPages(next);
  });

  test('goes on after its connections to Redis were lost', async () => {
    await redis.redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    api.change(PAGES[0]!);
    await (await add({ urls: urlsOf(PAGES[0]!) })).waitUntilFinished(events);
    await expectNoOldPages(...servers);
  });

  test(`is right with messages twice, late and in another order (NG_SSR_FUZZ_SEED=${seed})`, async () => {
    const random = new Random(seed);
    const messages = new VisibleMessages(random);
    const consume = async (server: DocsServer): Promise<void> => {
      for (;;) {
        const message = messages.receive();
        if (message === undefined) return;
        await turn();
        // Its time of visibility may end meanwhile: another one gets it, too.
        const left = (await server.call('refreshChanged', message.change)) as string[];
        if (left.length === 0) messages.delete(message);
      }
    };
    for (let round = 0; round < 30; round++) {
      for (const path of PAGES) {
        if (random.chance(0.5)) continue;
        api.change(path);
        messages.send(random.chance(0.2) ? { tag: 'products' } : { urls: urlsOf(path) });
      }
      api.failing.clear();
      if (random.chance(0.3)) api.failing.add(random.pick(PAGES));
      const consumers = Promise.all([...servers, ...servers].map(consume));
      // The API is back while messages are retried.
      await Promise.all(servers.map((server) => server.get(random.pick(PAGES))));
      api.failing.clear();
      await consumers;
    }
    expect(messages.delivered).toBeGreaterThan(messages.sent);
    await expectNoOldPages(...servers);
  });
});

interface Message {
  readonly id: number;
  readonly change: Change;
}

/** A queue like SQS: each message comes at least once, in any order, until it is deleted. */
class VisibleMessages {
  readonly #random: Random;
  readonly #messages = new Map<number, Message>();
  readonly #received = new Map<number, number>();
  sent = 0;
  delivered = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  send(change: Change): void {
    const id = this.sent++;
    this.#messages.set(id, { id, change });
  }

  receive(): Message | undefined {
    const all = [...this.#messages.values()];
    if (all.length === 0) return undefined;
    this.delivered++;
    return this.#random.pick(all);
  }

  /** A message that was deleted may come once more. */
  delete({ id }: Message): void {
    const times = (this.#received.get(id) ?? 0) + 1;
    this.#received.set(id, times);
    if (times > 1 || this.#random.chance(0.8)) this.#messages.delete(id);
  }
}
