import { describe, expect, test } from 'vitest';
import { withSharedStore } from '@ng-ssr/core';
import { until } from '../../pages/clock.ts';
import { Shelf } from './fake-page-store.ts';
import { html, storedServer, type StoredServer, type Seen } from '../../pages/stored-server.ts';

/** Processes over one store, whose pages come when the test says so. */
class Crowd {
  readonly shelf = new Shelf();
  readonly servers: StoredServer[];
  /** Renders that have begun and wait, by what ends them. */
  readonly held: (() => void)[] = [];
  /** The most renders there were at a time. */
  most = 0;
  #count = 0;

  constructor(processes: number, headersOf: (request: Request) => Record<string, string>) {
    this.servers = Array.from({ length: processes }, () =>
      storedServer(
        async (request) => {
          const render = ++this.#count;
          await new Promise<void>((resolve) => {
            this.held.push(resolve);
            this.most = Math.max(this.most, this.held.length);
          });
          return html(`render ${render}`, headersOf(request));
        },
        { features: [withSharedStore(this.shelf.open(), { buildId: 'build' })] },
      ),
    );
  }

  ask(target: string, each: number, headers?: Record<string, string>): Promise<Seen>[] {
    return this.servers.flatMap((server) =>
      Array.from({ length: each }, () => server.get(target, headers)),
    );
  }

  async untilHeld(count: number): Promise<void> {
    await until(() => this.held.length === count);
  }

  release(): void {
    for (const go of this.held.splice(0)) go();
  }
}

const PRIVATE = { 'cache-control': 'private' };

describe('a page that is for one reader alone', () => {
  test('is rendered by all waiting requests at once, in every process, when the first shows it', async () => {
    const crowd = new Crowd(12, () => PRIVATE);
    const asked = crowd.ask('/account', 2);
    // The first to render holds the lease.
    await crowd.untilHeld(1);
    crowd.release();
    await crowd.untilHeld(23);
    crowd.release();
    const texts = (await Promise.all(asked)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(24);
  });

  test('is not waited for by later requests', async () => {
    const crowd = new Crowd(12, () => PRIVATE);
    const [first] = crowd.servers;
    const leader = first!.get('/account');
    await crowd.untilHeld(1);
    crowd.release();
    await leader;
    const asked = crowd.ask('/account', 2);
    await crowd.untilHeld(24);
    crowd.release();
    await Promise.all(asked);
    expect(crowd.shelf.entries.size).toBe(0);
  });

  test('for some, and for all to others, is stored when one of the others asks', async () => {
    const crowd = new Crowd(3, ({ headers }) =>
      headers.has('cookie') ? PRIVATE : { 'cache-control': 's-maxage=60' },
    );
    const [one, two, three] = crowd.servers as [StoredServer, StoredServer, StoredServer];
    const personal = one.get('/', { cookie: 'user=ann' });
    await crowd.untilHeld(1);
    crowd.release();
    expect(await personal).toMatchObject({ isHit: false });
    const common = two.get('/');
    await crowd.untilHeld(1);
    crowd.release();
    const { text } = await common;
    await until(() => crowd.shelf.entries.size === 1);
    expect(await three.get('/')).toMatchObject({ isHit: true, text });
    expect(await two.get('/')).toMatchObject({ isHit: true, text });
  });

  test('a failure of the leader decides nothing: a waiting request renders next', async () => {
    const crowd = new Crowd(3, () => ({ 'cache-control': 's-maxage=60' }));
    const failing = storedServer(
      async () => {
        await new Promise<void>((resolve) => crowd.held.push(resolve));
        return html('down', {}, 503);
      },
      { features: [withSharedStore(crowd.shelf.open(), { buildId: 'build' })] },
    );
    const failed = failing.get('/');
    await crowd.untilHeld(1);
    const asked = crowd.ask('/', 1);
    crowd.release();
    expect(await failed).toMatchObject({ status: 503 });
    await crowd.untilHeld(1);
    crowd.release();
    await Promise.all(asked);
    expect(crowd.most).toBe(1);
  });
});
