import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { noteRun } from './run-log.ts';

/** How a server is started. */
export interface ServerStart {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where it answers. */
  readonly origin: string;
  /** The user and the group it runs as, where the test may choose. */
  readonly user?: number | undefined;
  readonly stdio?: StdioOptions;
}

/** A server that was started as its deployment does it. */
export class DeployedServer {
  readonly origin: string;
  readonly process: ChildProcess;
  /** Its exit code; null when a signal has ended it. */
  readonly exited: Promise<number | null>;
  #said = '';

  private constructor({ command, cwd, env, origin, user, stdio }: ServerStart) {
    const [program, ...parameters] = command;
    this.origin = origin;
    noteRun({ started: command.join(' ') });
    this.process = spawn(program, parameters, {
      cwd,
      // Nothing of this machine's settings: what a server needs is in its deployment.
      env: { PATH: process.env['PATH'], ...env },
      stdio: stdio ?? ['ignore', 'pipe', 'pipe'],
      ...(user !== undefined && process.getuid?.() === 0 && { uid: user, gid: user }),
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    }
    this.exited = once(this.process, 'close').then(([code]) => code as number | null);
    onTestFinished(() => void this.process.kill('SIGKILL'));
  }

  /** Starts a server, and waits until its `ready` probe is 200. */
  static async start(start: ServerStart): Promise<DeployedServer> {
    const server = new DeployedServer(start);
    await server.whenReady();
    return server;
  }

  /** All that it has printed. */
  get said(): string {
    return this.#said;
  }

  async whenReady(): Promise<void> {
    const failed = this.exited.then((code) => {
      throw new Error(`${this.process.spawnargs.join(' ')} ended with ${code}:\n${this.#said}`);
    });
    failed.catch(() => undefined);
    while (!(await Promise.race([isReady(this.origin), failed]))) await delay(20);
  }

  /** Ends it as a service manager does. */
  async drain(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.exited;
  }
}

/** Whether a server's `ready` probe is 200. */
export async function isReady(origin: string): Promise<boolean> {
  try {
    const { ok, status } = await fetch(`${origin}/readyz`);
    if (ok) noteRun({ asked: `/readyz ${status}` });
    return ok;
  } catch {
    return false;
  }
}
