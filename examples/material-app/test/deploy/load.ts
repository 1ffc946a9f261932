import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../../../packages/node/test/shutdown/load.ts';

/** Held pages, files and renders. */
const PATHS = ['/', '/products/3', '/robots.txt', '/guide', '/products/5'];

/** Clients that ask a server all the time, over connections that they keep and over new ones. */
export class Load {
  answered = 0;
  /** What was no 200, in words. */
  readonly failures: string[] = [];
  readonly #clients: Promise<unknown>;
  #isOver = false;

  constructor(port: number) {
    const kept = Array.from({ length: 4 }, () => this.#run(port, true));
    const fresh = Array.from({ length: 4 }, () => this.#run(port, false));
    this.#clients = Promise.all([...kept, ...fresh]);
  }

  /** Resolves when there were that many more answers, or a failure. */
  async more(count: number): Promise<void> {
    const end = this.answered + count;
    while (this.answered < end && this.failures.length === 0) await delay(5);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  async #run(port: number, keepAlive: boolean): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let count = 0; !this.#isOver; count++) {
      const path = PATHS[count % PATHS.length]!;
      const outcome = await ask(port, agent, path);
      if (outcome === 200) this.answered++;
      else if (typeof outcome === 'object') {
        const connection = outcome.isReused ? 'a kept' : 'a new';
        this.failures.push(`${path}: ${outcome.error} on ${connection} connection`);
      } else this.failures.push(`${path}: ${outcome}`);
      await delay(keepAlive ? 10 : 20);
    }
    agent.destroy();
  }
}

/** Does something to a server while clients ask it, and until they have had answers after that. */
export async function underLoad(port: number, act: () => Promise<unknown>): Promise<Load> {
  const load = new Load(port);
  try {
    await load.more(50);
    await act();
    await load.more(50);
  } finally {
    await load.stop();
  }
  return load;
}
