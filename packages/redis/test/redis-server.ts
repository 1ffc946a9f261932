import { createClient } from '@redis/client';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const PROGRAM = process.env['REDIS_SERVER_PATH'] ?? 'redis-server';

/** Why tests with Redis are skipped where there is none, and what would provide it. */
export const NO_REDIS_SERVER =
  'no redis-server on PATH: "apt-get install redis-server", or set REDIS_SERVER_PATH to one';

/**
 * Whether there is no Redis on this machine; it says so.
 *
 * @throws when there is none and CI=true: there, no test may be skipped.
 */
export function isRedisServerMissing(): boolean {
  if (spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0) return false;
  if (process.env['CI'] === 'true') throw new Error(NO_REDIS_SERVER);
  console.warn(`Tests with Redis are skipped: ${NO_REDIS_SERVER}`);
  return true;
}

/** A redis-server of a test's own, empty and without persistence, on a port that was free. */
export class RedisServer {
  readonly url: string;
  /** For looking into it: connects again after a restart, and waits meanwhile. */
  readonly redis: ReturnType<typeof createClient>;
  readonly #port: number;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'ng-ssr-redis-'));
    this.url = `redis://127.0.0.1:${port}`;
    this.redis = createClient({ url: this.url, socket: { reconnectStrategy: 20 } });
    this.redis.on('error', () => {});
  }

  static async start(): Promise<RedisServer> {
    // Between the look and the start, somebody else may take the port.
    for (let attempt = 1; ; attempt++) {
      const server = new RedisServer(await freePort());
      try {
        await server.#run();
        await server.redis.connect();
        return server;
      } catch (error) {
        server.redis.destroy();
        if (attempt === 3) throw error;
      }
    }
  }

  /** Stops it from answering, as an overloaded machine does; connections stay. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it at once, with all it holds. */
  async kill(): Promise<void> {
    const ended = this.#process;
    this.#process = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    ended.kill('SIGKILL');
    await once(ended, 'exit');
  }

  /** Starts again on the same port, empty. */
  async restart(): Promise<void> {
    await this.kill();
    await this.#run();
  }

  async stop(): Promise<void> {
    this.redis.destroy();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    const options = { port: this.#port, bind: '127.0.0.1', save: '', appendonly: 'no' };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const started = spawn(PROGRAM, args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = started;
    const log: string[] = [];
    for await (const line of createInterface(started.stdout)) {
      log.push(line);
      if (line.includes('Ready to accept connections')) {
        // Output that is not read would fill the pipe.
        started.stdout.resume();
        return;
      }
    }
    throw new Error(`redis-server has not started:\n${log.join('\n')}`);
  }
}

/** A server for the tests of a file, or of a group, to look into. */
export type UsedRedis = Pick<RedisServer, 'url' | 'redis'>;

export function useRedis(): UsedRedis {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());
  return {
    get url() {
      return server!.url;
    },
    get redis() {
      return server!.redis;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
