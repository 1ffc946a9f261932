import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

/** The built example as a process of its own. */
export class Example {
  readonly origin: string;
  /** How often it has reported an error, by code. */
  readonly reported = new Map<string, number>();
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.origin = origin;
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const code = /^ng-ssr: (NG_SSR_\w+)/.exec(line)?.[1];
      if (code !== undefined) this.reported.set(code, (this.reported.get(code) ?? 0) + 1);
    });
  }

  /** Starts it and waits until it listens. */
  static async start(
    adapter: string,
    engine: string,
    env: Readonly<Record<string, string>>,
  ): Promise<Example> {
    const program = join(root, 'examples/material-app/dist', engine, 'server/server.mjs');
    if (!existsSync(program))
      throw new Error('the example is not built: npm run demo:overload does');
    const bun = join(root, 'node_modules/.bin/bun');
    const child = spawn(adapter === 'elysia-bun' ? bun : process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ADAPTER: adapter,
        PORT: '0',
        NODE_ENV: 'production',
        NG_ALLOWED_HOSTS: 'localhost,127.0.0.1',
        REDIS_URL: '',
        SQLITE_FILE: '',
        ...env,
      },
    });
    let errors = '';
    const collect = (text: Buffer): string => (errors += text.toString());
    child.stderr.on('data', collect);
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const listening = line.split('Listening on ')[1];
        if (listening !== undefined) resolve(listening);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${errors}`)));
    });
    child.stderr.off('data', collect);
    return new Example(child, `http://127.0.0.1:${new URL(url).port}`);
  }

  /** Whether the process is still there. */
  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The most memory the process has held, in bytes; undefined where there is no /proc. */
  get peakBytes(): number | undefined {
    const file = `/proc/${this.#child.pid}/status`;
    if (!this.isAlive || !existsSync(file)) return undefined;
    const peak = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(file, 'utf8'));
    return peak === null ? undefined : Number(peak[1]) * 1024;
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
