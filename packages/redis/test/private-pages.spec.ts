import { SsrHandler } from '@ng-ssr/core/adapter';
import { redisPageStore } from '@ng-ssr/redis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withSharedStore } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

const PROCESSES = 12;
const POLL = { timeout: 5_000, interval: 5 };

describe.skipIf(isRedisServerMissing())('handlers over one Redis', () => {
  const server = useRedis();

  test('render a private page at once, all of them, when the first has shown that it is one', async () => {
    const held: (() => void)[] = [];
    const engine = async (): Promise<Response> => {
      await new Promise<void>((resolve) => held.push(resolve));
      return new Response('for one', { headers: { 'cache-control': 'private' } });
    };
    const release = (): void => held.splice(0).forEach((go) => go());
    const browserFolder = writeBuiltSite({ 'browser/index.html': prerendered('home') });
    const stores = Array.from({ length: PROCESSES }, () =>
      redisPageStore({ url: server.url, timeoutMs: 2_000 }),
    );
    const handlers = stores.map((store) => {
      const features = [withSharedStore(store, { buildId: 'build' })];
      // No request gives up waiting before the test does.
      const render = { maxWaitMs: 60_000 };
      const options = {
        engine,
        allowedHosts: ['localhost'],
        files: { folder: browserFolder },
        features,
        render,
      };
      const handler = new SsrHandler(options);
      onTestFinished(() => handler.close());
      return handler;
    });
    // A store that does not know of Redis yet has no request wait.
    await vi.waitFor(() => expect(stores.every((store) => store.version() > 0)).toBe(true), POLL);

    const answers = handlers.map((handler) => handler.render(plainExchange('/account')));
    await vi.waitFor(() => expect(held).toHaveLength(1), POLL);
    release();
    await vi.waitFor(() => expect(held).toHaveLength(PROCESSES - 1), POLL);
    release();
    for (const answer of answers) expect(await answer).toMatchObject({ status: 200 });
  });
});
