import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../src/fuzz/random.ts';
import { seed } from '../../src/fuzz/seed.ts';
import { says, type ServerProcess } from './server-process.ts';

const CLIENTS = 16;
/** Each client asks so often; all of them, 400 times a second. */
const INTERVAL_MS = 40;

interface Phase {
  readonly name: string;
  answers: number;
  longestMs: number;
  tookMs: number;
}

/** Visitors of a site, who ask all of its processes for pages of every kind, steadily. */
export class Load {
  readonly #servers: readonly ServerProcess[];
  readonly #random = new Random(seed);
  readonly #phases: Phase[] = [];
  #clients: Promise<void>[] = [];
  #isStopped = false;
  #targets = 0;
  readonly #waiting = new Set<() => void>();
  answers = 0;
  /** What was no page: a status other than 200, another page, or why there was no answer. */
  readonly failed: string[] = [];

  constructor(servers: readonly ServerProcess[]) {
    this.#servers = servers;
  }

  start(): void {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#client());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  /** Resolves after `count` more answers. */
  async answered(count: number): Promise<void> {
    const end = this.answers + count;
    while (this.answers < end) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Names a time, for {@link report}. */
  async during(name: string, run: () => Promise<void>): Promise<void> {
    const phase: Phase = { name, answers: 0, longestMs: 0, tookMs: 0 };
    this.#phases.push(phase);
    const sinceMs = performance.now();
    await run();
    phase.tookMs = performance.now() - sinceMs;
  }

  report(): string {
    const lines = this.#phases.map(
      ({ name, answers, longestMs, tookMs }) =>
        `${name}: ${answers} answers in ${tookMs.toFixed(0)} ms, the longest took ${longestMs.toFixed(0)} ms`,
    );
    const failed = `${this.failed.length} of ${this.answers} failed`;
    return [`NG_SSR_FUZZ_SEED=${seed}`, ...lines, failed].join('\n');
  }

  /** A connection of its own is never idle for so long that the server ends it. */
  async #client(): Promise<void> {
    const agents = this.#servers.map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    while (!this.#isStopped) {
      const nextMs = performance.now() + INTERVAL_MS;
      const path = this.#nextPath();
      const target = says(path, this.#query(path));
      const at = this.#random.below(this.#servers.length);
      await this.#ask(this.#servers[at]!, target, agents[at]!);
      await wait(Math.max(0, nextMs - performance.now()));
    }
    for (const agent of agents) agent.destroy();
  }

  async #ask(server: ServerProcess, target: string, agent: Agent): Promise<void> {
    const phase = this.#phases.at(-1);
    const sinceMs = performance.now();
    try {
      const { status, page, text } = await server.ask(target, { agent });
      const isRight = status === 200 && page.seen['url'] === `http://shop.example${target}`;
      if (!isRight) this.failed.push(`${target}: ${status} ${text}`);
    } catch (error) {
      this.failed.push(`${target}: ${String(error)}`);
    }
    this.answers++;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    if (phase === undefined) return;
    phase.answers++;
    phase.longestMs = Math.max(phase.longestMs, performance.now() - sinceMs);
  }

  #nextPath(): string {
    const kind = this.#random.below(100);
    // Asked for by two, maybe in two processes at once.
    if (kind < 15) return `/cold/${this.#targets++ >> 1}`;
    if (kind < 20) return `/private/${this.#random.below(10)}`;
    if (kind < 40) return `/brief/${this.#random.below(5)}`;
    return kind < 60
      ? `/revalidated/${this.#random.below(10)}`
      : `/fresh/${this.#random.below(30)}`;
  }

  #query(path: string): Record<string, string> {
    const query = { echo: 'url', delay: '10' };
    const kind = path.split('/')[1]!;
    return { ...query, 'cache-control': CACHE_CONTROL[kind]! };
  }
}

const CACHE_CONTROL: Readonly<Record<string, string>> = {
  cold: 's-maxage=60',
  private: 'private',
  // Rendered again while all wait, each second.
  brief: 's-maxage=1',
  revalidated: 's-maxage=1, stale-while-revalidate=600',
  fresh: 's-maxage=600',
};
