import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const INSPECTOR_TOKEN = 'a-token-of-the-inspector';
export const PURGE_TOKEN = 'a-token-of-the-purge-endpoint';

/** A server of {@link file://./server-program.ts} as a process of its own. */
export class RunningServer {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(port = 0, env: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'server-program.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PORT: String(port), ...env },
    });
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return new RunningServer(url, child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async get(target: string): Promise<Response> {
    const response = await fetch(this.url + target);
    await response.text();
    return response;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
