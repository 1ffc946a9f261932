import { isShort, Random, seed } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { isLongEnough } from '../../conformance/test/is-long-enough.ts';
import {
  type Connection,
  connectToThreads,
  type RenderedPage,
  startProgram,
  toPage,
} from './threads/running-program.ts';
import { threadsMissing } from './threads/threads-missing.ts';

/** Set NG_SSR_FUZZ_REQUESTS for a longer run. Fewer would not be sure of enough hits. */
const REQUESTS = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? (isShort ? 2000 : 6000));
const THREADS = 3;
const CLIENTS_PER_THREAD = 4;
const PATHS = 8;
/** For about half of the pages. */
const MAX_BYTES = 300_000;
/** After this number of steps all clients wait, and the threads are compared. */
const STEPS_PER_ROUND = 25;

const QUERIES = [
  '',
  '?cc=s-maxage=600,stale-while-revalidate=600',
  '?cc=s-maxage=1,stale-while-revalidate=600',
  '?cc=private',
  '?ms=3',
];

/** What the clients know: from when on each page must have been rendered. */
class Model {
  readonly #random: Random;
  /** By path: no page whose render began before this may be the answer to a later request. */
  readonly #notBefore = new Map<string, bigint>();
  renders = 0;
  hits = 0;
  purges = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async step(client: Connection): Promise<void> {
    const random = this.#random;
    const path = `/stored/${'x'.repeat(random.below(3))}${random.below(PATHS)}`;
    const kind = random.below(100);
    if (kind < 80) return this.#get(client, path + random.pick(QUERIES), path);
    if (kind < 88) return this.#remove(path, () => client.purge({ path, hard: true }));
    if (kind < 94) return this.#remove(path, () => client.ask('POST', path));
    if (kind < 97) return this.#purgeSoftly(client, path);
    return this.#purgeTag(client);
  }

  async #get(client: Connection, target: string, path: string): Promise<void> {
    const notBefore = this.#notBefore.get(path) ?? 0n;
    const got = await client.get(target);
    const page: RenderedPage = toPage(got);
    if (/hit/.test(String(got.headers['cache-status']))) this.hits++;
    else this.renders++;
    if (BigInt(page.at) >= notBefore) return;
    const status = String(got.headers['cache-status']);
    throw new Error(
      `thread ${got.thread} answers ${target} with a page that was removed: ${status}`,
    );
  }

  async #remove(path: string, send: () => Promise<{ status: number }>): Promise<void> {
    const askedAt = process.hrtime.bigint();
    const { status } = await send();
    if (status !== 200) throw new Error(`the removal of ${path} was answered with ${status}`);
    this.#note(path, askedAt);
  }

  async #purgeSoftly(client: Connection, path: string): Promise<void> {
    await client.purge({ path });
    this.purges++;
  }

  async #purgeTag(client: Connection): Promise<void> {
    const askedAt = process.hrtime.bigint();
    const number = this.#random.below(3);
    await client.purge({ tag: `tag${number}`, hard: true });
    for (let at = 0; at < PATHS; at++) {
      for (const prefix of ['', 'x', 'xx']) {
        const path = `/stored/${prefix}${at}`;
        if (path.length % 3 === number) this.#note(path, askedAt);
      }
    }
  }

  #note(path: string, at: bigint): void {
    this.purges++;
    const earlier = this.#notBefore.get(path) ?? 0n;
    if (at > earlier) this.#notBefore.set(path, at);
  }
}

/** The keys of the pages in each thread, each list once. */
async function keysOf(clients: readonly Connection[]): Promise<string[]> {
  const lists = clients.slice(0, THREADS).map(async (client) => {
    const keys = JSON.parse((await client.get('/api/pages')).text) as string[];
    return JSON.stringify(keys.sort());
  });
  return [...new Set(await Promise.all(lists))];
}

test(`no thread has a page that was removed (seed ${seed})`, async (context) => {
  context.skip(threadsMissing !== undefined, threadsMissing);
  const { port } = await startProgram({ threads: THREADS, maxBytes: MAX_BYTES });
  const clients: Connection[] = [];
  for (let each = 0; each < CLIENTS_PER_THREAD; each++) {
    clients.push(...(await connectToThreads(port, THREADS)));
  }
  const model = new Model(new Random(seed));
  const rounds = Math.ceil(REQUESTS / STEPS_PER_ROUND / clients.length);
  const hasSeenEnough = (): boolean =>
    Math.min(model.hits, model.renders, 2 * model.purges) > REQUESTS / 10;
  for (let round = 0; !isLongEnough(round, rounds, hasSeenEnough); round++) {
    await Promise.all(
      clients.map(async (client) => {
        for (let step = 0; step < STEPS_PER_ROUND; step++) await model.step(client);
      }),
    );
    // Pages are still rendered again in the background.
    await expect.poll(() => keysOf(clients)).toHaveLength(1);
  }
  expect(model.hits).toBeGreaterThan(REQUESTS / 10);
  expect(model.renders).toBeGreaterThan(REQUESTS / 10);
  expect(model.purges).toBeGreaterThan(REQUESTS / 20);
}, 600_000);
