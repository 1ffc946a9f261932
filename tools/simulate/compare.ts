import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisProcess } from '../../packages/redis/test/redis-process.ts';
import { round } from './figures.ts';
import { Fleet } from './fleet.ts';
import type { ServerCommand, ServerMessage, ServerTask } from './real-server.ts';
import { percent } from './report.ts';
import { DEFAULTS, type Scenario } from './scenario.ts';
import { type PageRequest, requestsOf, Site } from './site.ts';

/** A small site whose requests real servers answer in seconds. */
export const COMPARED: Scenario = {
  ...DEFAULTS,
  ...{ machines: 4, pages: 5000, pageKb: 10, memoryMib: 12, tagPages: 1000 },
  ...{ renderMs: 5, prefill: 0, shards: 1, requestsPerSecond: 1000, zipf: 0.8 },
};

/** Requests in flight to the real servers. */
const AT_ONCE = 8;
/** As the simulated clock has it: the time that a purge is given on both sides. */
const PURGE_SECONDS = 1;

/** Shares of all requests. */
export interface Shares {
  readonly memory: number;
  readonly store: number;
  readonly render: number;
}

/** A half of the requests, before and after a hard purge of a group of pages. */
export interface Compared {
  readonly half: string;
  readonly real: Shares;
  readonly simulated: Shares;
}

/** Sends the same requests to real servers with a Redis, and to a simulated fleet. */
export async function compare(scenario: Scenario, requests: number): Promise<Compared[]> {
  const real = await runReal(scenario, requests);
  const simulated = await runSimulated(scenario, requests);
  return ['filling', 'after a purge'].map((half, at) => ({
    half,
    real: real[at]!,
    simulated: simulated[at]!,
  }));
}

/** The largest difference of a share, in points. */
export function largestDifference(all: readonly Compared[]): number {
  const differences = all.flatMap(({ real, simulated }) => [
    Math.abs(real.memory - simulated.memory),
    Math.abs(real.store - simulated.store),
    Math.abs(real.render - simulated.render),
  ]);
  return round(100 * Math.max(...differences), 1);
}

export function formatCompared(all: readonly Compared[]): string {
  const row = (cells: readonly string[]): string => {
    return cells.map((cell, at) => (at < 2 ? cell.padEnd(14) : cell.padStart(8))).join('  ');
  };
  const shares = ({ memory, store, render }: Shares): string[] =>
    [memory, store, render].map(percent);
  return [
    row(['requests', 'servers', 'memory', 'store', 'render']),
    ...all.flatMap(({ half, real, simulated }) => [
      row([half, 'real', ...shares(real)]),
      row([half, 'simulated', ...shares(simulated)]),
    ]),
    `The largest difference is ${largestDifference(all)} points.`,
  ].join('\n');
}

async function runSimulated(scenario: Scenario, requests: number): Promise<Shares[]> {
  const fleet = new Fleet(scenario);
  const seconds = requests / 2 / scenario.requestsPerSecond;
  fleet.time.install();
  try {
    fleet.start();
    const halves = [await fleet.phase('filling', seconds)];
    void fleet.purge(0, true);
    await fleet.time.runUntil(fleet.time.nowMs + PURGE_SECONDS * 1000);
    fleet.nextMs = fleet.time.nowMs;
    halves.push(await fleet.phase('after a purge', seconds));
    return halves.map(({ store, render }) => ({
      memory: round(1 - store - render, 4),
      store,
      render,
    }));
  } finally {
    fleet.time.uninstall();
  }
}

async function runReal(scenario: Scenario, requests: number): Promise<Shares[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-simulate-'));
  writeFileSync(join(folder, 'robots.txt'), '');
  const redis = await RedisProcess.start({ settings: () => ['save ""', 'appendonly no'] });
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * AT_ONCE });
  const redisUrl = `redis://127.0.0.1:${redis.port}`;
  const servers: RealServer[] = [];
  try {
    for (let at = 0; at < scenario.machines; at++)
      servers.push(await RealServer.start({ scenario, redisUrl, folder }));
    const site = new Site(scenario);
    const next = requestsOf(scenario);
    const half = async (): Promise<Shares> => {
      const before = await total(servers);
      let left = Math.floor(requests / 2);
      const work = async (): Promise<void> => {
        while (left-- > 0) await ask(servers, site, next(), agent);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const after = await total(servers);
      const share = (count: number): number => round(count / Math.floor(requests / 2), 4);
      const store = share(after.fromStore - before.fromStore);
      const render = share(after.renders - before.renders);
      return { memory: round(1 - store - render, 4), store, render };
    };
    const first = await half();
    await servers[0]!.ask({ purge: site.tagOf(0) });
    return [first, await half()];
  } finally {
    agent.destroy();
    await Promise.all(servers.map((server) => server.close()));
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class RealServer {
  readonly port: number;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.port = port;
  }

  static async start(task: ServerTask): Promise<RealServer> {
    const child = fork(join(import.meta.dirname, 'real-server.ts'), [JSON.stringify(task)]);
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('a server has ended at its start'))),
    ])) as [Extract<ServerMessage, { readonly port: number }>];
    return new RealServer(child, message.port);
  }

  async ask(command: ServerCommand): Promise<ServerMessage> {
    const reply = once(this.#process, 'message') as Promise<[ServerMessage]>;
    this.#process.send(command);
    return (await reply)[0];
  }

  async close(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#process.send('close' satisfies ServerCommand);
    await exit;
  }
}

async function total(
  servers: readonly RealServer[],
): Promise<{ readonly renders: number; readonly fromStore: number }> {
  let renders = 0;
  let fromStore = 0;
  for (const server of servers) {
    const counts = await server.ask('count');
    if (!('renders' in counts)) throw new Error('a server has not replied with its counts');
    renders += counts.renders;
    fromStore += counts.fromStore;
  }
  return { renders, fromStore };
}

/** Asks one of the servers for a page, and reads it to its end. */
async function ask(
  servers: readonly RealServer[],
  site: Site,
  { page, machine }: PageRequest,
  agent: Agent,
): Promise<void> {
  const { port } = servers[Math.floor(machine * servers.length)]!;
  const headers = { host: site.host };
  for (;;) {
    const asked = get({ host: '127.0.0.1', port, path: site.pathOf(page), headers, agent });
    try {
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode === 200) return;
      throw new Error(`${site.pathOf(page)}: the status is ${answer.statusCode}`);
    } catch (error) {
      // The server has ended a connection that was idle, while this request was on its way.
      const isEnded = asked.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isEnded) throw error;
    }
  }
}
