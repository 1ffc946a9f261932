import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../../tools/free-port.ts';

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

/** Lines of redis.conf. */
export type Settings = readonly string[];

export interface ProcessOptions {
  readonly settings: (port: number) => Settings;
  readonly isSentinel?: boolean;
}

const READY = /Ready to accept connections|Sentinel ID is/;

/** A redis-server in a folder of its own, on a port that was free. */
export class RedisProcess {
  readonly port: number;
  readonly #args: readonly string[];
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, { settings, isSentinel }: ProcessOptions) {
    this.port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'ng-ssr-redis-'));
    const file = join(this.#folder, 'redis.conf');
    const lines = [`port ${port}`, 'bind 127.0.0.1', ...settings(port)];
    writeFileSync(file, `${lines.join('\n')}\n`);
    this.#args = [file, ...(isSentinel === true ? ['--sentinel'] : [])];
  }

  static async start(options: ProcessOptions): Promise<RedisProcess> {
    // Between the look and the start, another test may take the port.
    for (let attempt = 1; ; attempt++) {
      const started = new RedisProcess(await freePort(), options);
      try {
        await started.#run();
        return started;
      } catch (error) {
        await started.stop();
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
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    const started = spawn(PROGRAM, this.#args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = started;
    const log: string[] = [];
    for await (const line of createInterface(started.stdout)) {
      log.push(line);
      if (READY.test(line)) {
        // Output that is not read would fill the pipe.
        started.stdout.resume();
        return;
      }
    }
    throw new Error(`redis-server has not started:\n${log.join('\n')}`);
  }
}
