import { createClient } from '@redis/client';
import { afterAll, beforeAll } from 'vitest';
import { RedisProcess } from './redis-process.ts';

export { isRedisServerMissing } from './redis-process.ts';

/** A redis-server of a test's own, empty and without persistence. */
export class RedisServer {
  readonly url: string;
  /** For looking into it: connects again after a restart, and waits meanwhile. */
  readonly redis: ReturnType<typeof createClient>;
  readonly #process: RedisProcess;

  private constructor(process: RedisProcess) {
    this.#process = process;
    this.url = `redis://127.0.0.1:${process.port}`;
    this.redis = createClient({ url: this.url, socket: { reconnectStrategy: 20 } });
    this.redis.on('error', () => {});
  }

  static async start(): Promise<RedisServer> {
    const process = await RedisProcess.start({ settings: () => ['save ""', 'appendonly no'] });
    const server = new RedisServer(process);
    await server.redis.connect();
    return server;
  }

  /** Stops it from answering, as an overloaded machine does; connections stay. */
  pause(): void {
    this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }

  /** Ends it at once, with all it holds. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Starts again on the same port, empty. */
  restart(): Promise<void> {
    return this.#process.restart();
  }

  async stop(): Promise<void> {
    this.redis.destroy();
    await this.#process.stop();
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
