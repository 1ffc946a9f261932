import { redisPageStore, type RedisPageStoreOptions } from '@ng-ssr/redis';
import { expect, vi } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { says, ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { bodyOf, page } from './open-store.ts';

/** Redis servers that come and go. */
export interface ChaosPlace<Event extends string> {
  /** Where stores find them. */
  readonly options: RedisPageStoreOptions;
  /** @param isFirst - Whether it is the first event of a run. */
  cause(event: Event, isFirst: boolean, context: ChaosContext): Promise<void>;
  /** Until all servers are there and know one another. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

/** What an event needs of a run. */
export interface ChaosContext {
  readonly random: Random;
  /** Says what happens. */
  tell(what: string): void;
  /** Resolves after some further responses. */
  settle(): Promise<void>;
}

const PAGES = 120;
const TAGS = 12;
const CLIENTS = 12;
const POLL = { timeout: 120_000, interval: 50 };
const FRESH = { 'cache-control': 's-maxage=6000', echo: 'url' };
/** Of a set-up with two cores and others on them. */
const SETTLED = 200;

/** Three servers of pages on Redis servers, their clients, and what happens meanwhile. */
export class Chaos<Event extends string> {
  readonly #random = new Random(seed);
  readonly #place: ChaosPlace<Event>;
  readonly #servers: readonly ServerProcess[];
  readonly #pages = new ServedPages();
  readonly #stores: StrictStores;
  readonly #waiting = new Set<() => void>();
  #isStopped = false;
  #clients: Promise<void>[] = [];
  requests = 0;
  readonly failed: string[] = [];
  readonly purges = { confirmed: 0, refused: 0 };

  private constructor(place: ChaosPlace<Event>, servers: readonly ServerProcess[]) {
    this.#place = place;
    this.#servers = servers;
    this.#stores = new StrictStores(place.options);
  }

  static async start<Event extends string>(place: ChaosPlace<Event>): Promise<Chaos<Event>> {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    // Two of them keep few pages in memory: they show what the store has.
    const options = { redis: { ...place.options, timeoutMs: 100 } };
    const servers = await Promise.all(
      [40_000, 40_000, undefined].map((maxBytes) => ServerProcess.start({ ...options, maxBytes })),
    );
    return new Chaos(place, servers);
  }

  /** Sends this number of requests, and meanwhile runs the events one after the other. */
  async run(requests: number, events: readonly Event[]): Promise<void> {
    await this.#stores.open();
    this.#clients = Array.from({ length: CLIENTS }, () => this.#client());
    const strict = this.#stores.run(new Random(seed + 1), () => this.#isStopped);
    const context: ChaosContext = {
      random: this.#random,
      tell: (what) => console.log(`${what}, after ${this.requests} requests`),
      settle: () => this.#answered(SETTLED),
    };
    for (const [at, event] of events.entries()) {
      await this.#place.cause(event, at === 0, context);
      await this.#answered(SETTLED);
      await this.#place.untilWhole();
      await this.#expectNoOldPages();
    }
    await this.#answered(Math.max(0, requests - this.requests));
    this.#isStopped = true;
    await Promise.all([...this.#clients, strict]);
    await this.#expectNoOldPages();
    console.log(
      `${this.requests} requests, purges ${JSON.stringify(this.purges)}, stores ${this.#stores.report()}`,
    );
    expect(this.failed.slice(0, 5)).toEqual([]);
    expect(this.#stores.wrong.slice(0, 5)).toEqual([]);
    // Else the rest would mean little.
    expect(this.purges.confirmed).toBeGreaterThan(0);
    expect(this.#stores.found).toBeGreaterThan(0);
    expect(this.#pages.hitsOfOthers).toBeGreaterThan(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
    await this.#stores.close();
    await Promise.all(this.#servers.map((server) => server.kill()));
    await this.#place.stop();
  }

  async #client(): Promise<void> {
    while (!this.#isStopped) {
      const server = this.#servers[this.#random.below(this.#servers.length)]!;
      try {
        if (this.#random.below(150) === 0) await this.#purge(server);
        else await this.#ask(server, this.#random.below(PAGES));
      } catch (error) {
        this.failed.push(String(error));
      }
    }
  }

  /** @returns whether the page is one that was seen before a purge that is confirmed. */
  async #ask(server: ServerProcess, index: number): Promise<boolean> {
    const target = targetOf(index);
    const { status, page: content, cache } = await server.ask(target);
    this.requests++;
    for (const tell of this.#waiting) tell();
    if (status !== 200 || content.seen['url'] !== `http://shop.example${target}`) {
      this.failed.push(`${status} ${cache} ${JSON.stringify(content)} for ${target}`);
      return false;
    }
    const isOfOther = content.pid !== server.pid;
    return this.#pages.isOld(index, `${content.pid} ${content.render}`, isOfOther);
  }

  async #purge(server: ServerProcess): Promise<void> {
    const tag = this.#random.below(TAGS);
    const confirm = this.#pages.purge(tag);
    const { status } = await server.purge({ tag: `tag-${tag}`, hard: true });
    if (status === 200) {
      this.purges.confirmed++;
      confirm();
    } else if (status === 503) this.purges.refused++;
    else this.failed.push(`a purge is a ${status}`);
    // Confirmed or not, this process has purged its pages.
    if (status !== 200) return;
    if (await this.#ask(server, tag)) this.failed.push(`an old page of tag-${tag} after its purge`);
  }

  /** Each server has heard of all confirmed purges; it never would of those that were lost. */
  async #expectNoOldPages(): Promise<void> {
    await vi.waitFor(async () => {
      for (const server of this.#servers) {
        for (let index = 0; index < PAGES; index++) {
          expect(await this.#ask(server, index), `an old page ${index}`).toBe(false);
        }
      }
    }, POLL);
  }

  /** Resolves after this number of further responses. */
  async #answered(count: number): Promise<void> {
    const end = this.requests + count;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.requests < end) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

function targetOf(index: number): string {
  return says(`/chaos/${index}`, { ...FRESH, 'cache-tag': `tag-${index % TAGS}` });
}

/** Which renders were seen, and before which purges. */
class ServedPages {
  #now = 0;
  /** When a render was first seen. */
  readonly #seen = new Map<string, number>();
  /** When the last confirmed purge of a tag was requested. */
  readonly #purged = new Map<number, number>();
  hitsOfOthers = 0;

  /** Called before a purge is requested; the result when it is confirmed. */
  purge(tag: number): () => void {
    const now = ++this.#now;
    return () => this.#purged.set(tag, Math.max(now, this.#purged.get(tag) ?? 0));
  }

  isOld(index: number, render: string, isOfOther: boolean): boolean {
    const name = `${index} ${render}`;
    const seen = this.#seen.get(name);
    if (seen === undefined) this.#seen.set(name, ++this.#now);
    else if (isOfOther) this.hitsOfOthers++;
    return seen !== undefined && seen < (this.#purged.get(index % TAGS) ?? 0);
  }
}

/** Stores without a server in front: what they return must be right at every moment, whatever happens. */
class StrictStores {
  readonly #stores;
  #now = 0;
  /** When the render of a page began, by its body. */
  readonly #renders = new Map<string, number>();
  /** When the last confirmed purge was requested. */
  #purged = 0;
  readonly wrong: string[] = [];
  found = 0;
  #confirmed = 0;
  #refused = 0;

  constructor(options: RedisPageStoreOptions) {
    this.#stores = [0, 1, 2].map(() =>
      redisPageStore({ ...options, timeoutMs: 100, prefix: 'strict' }),
    );
  }

  async open(): Promise<void> {
    for (const store of this.#stores) {
      store.open({ buildId: 'build', onPurge() {}, onError() {} });
      await vi.waitFor(() => expect(store.version()).toBeGreaterThan(0), POLL);
    }
  }

  async run(random: Random, isStopped: () => boolean): Promise<void> {
    await Promise.all(
      [1, 2, 3].map(async () => {
        while (!isStopped()) await this.#step(random);
      }),
    );
  }

  async #step(random: Random): Promise<void> {
    const store = this.#stores[random.below(3)]!;
    const key = `/${random.below(10)}`;
    const kind = random.below(20);
    if (kind === 0) {
      const requested = ++this.#now;
      const isConfirmed = await store.purge({ tag: 'products', hard: true }).then(
        () => true,
        () => false,
      );
      if (isConfirmed) this.#purged = Math.max(this.#purged, requested);
      if (isConfirmed) this.#confirmed++;
      else this.#refused++;
    } else if (kind < 8) {
      const version = store.version();
      const body = `${++this.#now}`;
      this.#renders.set(body, this.#now);
      await store.set(key, page(`${key} ${body}`), version, 600);
    } else {
      const purged = this.#purged;
      const found = await bodyOf(store, key);
      if (found === undefined) return;
      this.found++;
      const [foundKey, body] = found.split(' ');
      if (foundKey !== key) this.wrong.push(`${found} for ${key}`);
      if (this.#renders.get(body!)! < purged) this.wrong.push(`${found} after purge ${purged}`);
    }
    // Else nothing but these would run while no server answers.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }

  report(): string {
    const { found } = this;
    return JSON.stringify({ found, confirmed: this.#confirmed, refused: this.#refused });
  }

  async close(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()));
  }
}
