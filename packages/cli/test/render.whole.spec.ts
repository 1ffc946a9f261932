import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { isRedisServerMissing, RedisServer } from '../../redis/test/redis-server.ts';
import { makeRoot, writeSite } from './doctor-site.ts';
import { BIN } from './ng-ssr.ts';

const PAGES = 20_000;
const KILLS = 3;
const REDIS = pathToFileURL(join(import.meta.dirname, '../../redis/dist/index.js')).href;

/** The engine tells the API of each render. */
const ENGINE = `
import { redisPageStore } from ${JSON.stringify(REDIS)};
const shared = withSharedStore(redisPageStore());
const counted = async (request) => {
  const { pathname } = new URL(request.url);
  const { status } = await fetch(process.env.API + pathname);
  return new Response('<!doctype html>' + pathname, { status, headers: {
    'content-type': 'text/html', 'cache-control': 'max-age=36000' } });
};
`;

describe.skipIf(isRedisServerMissing())('ng-ssr render with 20,000 pages', () => {
  let root: string;
  let workspace: string;
  let api: Server;
  let redis: RedisServer;
  /** The number of renders by path. */
  const renders = new Map<string, number>();
  let count = 0;
  let onRender: (() => void) | undefined;

  beforeAll(async () => {
    [root, redis] = await Promise.all([makeRoot(), RedisServer.start()]);
    workspace = writeSite(root, {
      before: ENGINE,
      options: 'engine: counted, features: [shared],',
    });
    api = createServer(({ url }, response) => {
      renders.set(url!, (renders.get(url!) ?? 0) + 1);
      count++;
      response.end();
      onRender?.();
    });
    await once(api.listen(0, '127.0.0.1'), 'listening');
    const urls = Array.from(
      { length: PAGES },
      (_, at) => `<url><loc>https://shop.example/products/${at}</loc></url>`,
    );
    writeFileSync(join(workspace, 'sitemap.xml'), `<urlset>${urls.join('\n')}</urlset>`);
  });
  afterAll(async () => {
    api?.close();
    rmSync(root, { recursive: true, force: true });
    await redis?.stop();
  });

  /** @param killAt - The number of renders after which the command is killed. */
  async function run(killAt = Infinity): Promise<{ signal: string | null; stdout: string }> {
    const { port } = api.address() as AddressInfo;
    const args = ['render', 'dist/shop', '--sitemap', 'sitemap.xml', '--json'];
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: workspace,
      env: { ...process.env, API: `http://127.0.0.1:${port}`, REDIS_URL: redis.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onRender = () => count >= killAt && child.kill('SIGKILL');
    const [stdout, [, signal]] = await Promise.all([
      text(child.stdout),
      once(child, 'exit') as Promise<[number | null, string | null]>,
    ]);
    return { signal, stdout };
  }

  test('killed three times, it renders each page once', async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const random = new Random(seed);
    const moments = Array.from({ length: KILLS }, () => 1 + random.below(PAGES - 1));
    for (const killAt of moments.toSorted((a, b) => a - b)) {
      const before = count;
      const { signal } = await run(Math.max(killAt, before + 1));
      console.log(`killed after ${count} renders`);
      expect(signal).toBe('SIGKILL');
    }
    const { stdout } = await run();
    expect(JSON.parse(stdout)).toMatchObject({ pages: PAGES, failed: [], notStored: [], left: 0 });
    expect([...renders].filter(([, times]) => times > 1)).toEqual([]);
    expect(renders.size).toBe(PAGES);
    let stored = 0;
    for await (const keys of redis.redis.scanIterator({ MATCH: '*:page:*', COUNT: 1000 })) {
      stored += keys.length;
    }
    expect(stored).toBe(PAGES);
    // Also as the command sees the store.
    const again = JSON.parse((await run()).stdout) as object;
    expect(again).toMatchObject({ pages: PAGES, rendered: 0, cached: PAGES });
    expect(count).toBe(PAGES);
  });
});
