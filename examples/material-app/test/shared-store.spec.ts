/** Two processes of the real build, of different adapters, with one Redis behind them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, type ExampleServer, PURGE_TOKEN, startExample } from './example-server.ts';

const NO_REDIS = 'no redis-server on PATH: "apt-get install redis-server"';
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) {
  if (process.env['CI'] === 'true') throw new Error(NO_REDIS);
  console.warn(`Tests of the shared store are skipped: ${NO_REDIS}`);
}

describe.skipIf(!hasRedis).each(ENGINES)('%s engine', (engine) => {
  let folder: string;
  let redis: ChildProcess;
  let servers: ExampleServer[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ng-ssr-redis-'));
    const socket = join(folder, 'redis.sock');
    const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder];
    redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: redis.stdout! }).on('line', (line) => {
        if (line.includes('eady to accept connections')) resolve();
      });
      redis.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    });
    const env = { REDIS_URL: `unix://${socket}` };
    servers = await Promise.all([
      startExample(engine, 'koa', env),
      startExample(engine, 'fastify', env),
    ]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGTERM')));
    if (redis?.exitCode === null) {
      redis.kill();
      await once(redis, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** Asks as a proxy in front of both would: for one host, whatever the port. */
  async function ask(server: number, path: string, content?: object) {
    const asked = request(servers[server]!.origin + path, {
      method: content ? 'POST' : 'GET',
      headers: {
        host: 'localhost',
        ...(content && { authorization: `Bearer ${PURGE_TOKEN}` }),
      },
    });
    asked.end(content && JSON.stringify(content));
    const [answer] = await once(asked, 'response');
    const page = await text(answer);
    const print = /id="render-time"[^>]* datetime="([^"]+)"/.exec(page)?.[1];
    return { status: answer.statusCode, cacheStatus: answer.headers['cache-status'], print };
  }

  test('a page that one process has rendered is a hit in the other, until either purges it', async () => {
    // Until both have their connections, each renders for itself.
    let turn = 0;
    const share = async () => {
      const path = `/products/3?turn=${++turn}`;
      const rendered = await ask(0, path);
      const other = await ask(1, path);
      return other.print === rendered.print ? other.cacheStatus : 'rendered by each';
    };
    await expect.poll(share).toMatch(/^ng-ssr; hit; ttl=\d+$/);

    const purge = await ask(1, '/_cache/purge', { path: '/products/3', hard: true });
    expect(purge.status).toBe(200);
    // A page that has only become stale would be a hit, and rendered again after it.
    const readStatus = async () => (await ask(0, `/products/3?turn=${turn}`)).cacheStatus;
    await expect.poll(readStatus).toBe('ng-ssr; fwd=uri-miss; stored');
  });
});
