import type { Contestant } from './contestant.ts';
import type { Cores } from './cores.ts';
import { type Cost, measureCost, type Work } from './load.ts';
import { readProcessCost } from './process-cost.ts';
import { get, type RawAnswer } from './request.ts';
import type { Row } from './row.ts';
import { type Server, settle, startServer } from './server.ts';
import { spreadOf } from './spread.ts';
import type { Verdict } from './verdict.ts';
import { hasWrk, measureWithWrk } from './wrk.ts';

/** How long and how often everything is measured. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly isQuick: boolean;
}

/** One server under one kind of work. */
export interface Entry {
  readonly scenario: string;
  readonly work: string;
  readonly contestant: Contestant;
  /** What the row is called, where one server has several. Default: the contestant's name. */
  readonly server?: string;
  /** Whether wrk measures it once more, where it is installed. */
  readonly withWrk?: boolean;
  /** Whether the answer becomes right only after some requests: codings made in the background. */
  readonly settles?: boolean;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The entity tag to send back as If-None-Match is asked of the server itself. */
  readonly revalidates?: boolean;
  readonly verdict: Verdict;
  readonly connections?: number;
  /** Rendering takes longer than the usual to become warm. */
  readonly warmSeconds?: number;
  /** How much longer than the usual each round is, where small differences count. */
  readonly longer?: number;
  readonly x?: number;
  readonly published?: number;
  readonly note?: string;
}

/** An entry over all its rounds. */
interface Run {
  readonly entry: Entry;
  readonly costs: Cost[];
  voidBecause: string | undefined;
  wrk: Cost | undefined;
  bytes: number;
  peakRssBytes: number;
}

/** A run in one round: a process, and what it is asked. */
interface Turn {
  readonly run: Run;
  readonly server: Server;
  readonly work: Work;
}

const SETTLING_TRIES = 100;

/** Starts servers, loads them in interleaved and shuffled rounds, and makes rows of it. */
export class Session {
  readonly effort: Effort;
  readonly #cores: Cores;
  readonly #onProgress: (text: string) => void;
  readonly #usesWrk: boolean;
  readonly #servers = new Map<string, Promise<Server>>();

  constructor(effort: Effort, cores: Cores, onProgress: (text: string) => void) {
    this.effort = effort;
    this.#cores = cores;
    this.#onProgress = onProgress;
    this.#usesWrk = !effort.isQuick && hasWrk();
  }

  /** The server of a contestant, started once. */
  server(contestant: Contestant): Promise<Server> {
    let server = this.#servers.get(contestant.name);
    if (server === undefined) {
      server = startServer(
        contestant,
        contestant.isPinned === false ? this.#cores.allPrefix : this.#cores.serverPrefix,
      ).then(async (started) => {
        if (contestant.settles !== false) await settle(started.pid);
        return started;
      });
      this.#servers.set(contestant.name, server);
    }
    return server;
  }

  /** Stops every server that runs. */
  async stopServers(): Promise<void> {
    const servers = await Promise.allSettled(this.#servers.values());
    this.#servers.clear();
    for (const server of servers) if (server.status === 'fulfilled') await server.value.stop();
  }

  /** Says what is being done. */
  say(text: string): void {
    this.#onProgress(text);
  }

  /**
   * All entries in turn, each round in another order and on processes of its own: one process can be
   * a fifth slower than the next of the same program, from its start to its end. A wrong answer voids
   * its row.
   */
  async interleave(entries: readonly Entry[]): Promise<Row[]> {
    const runs = entries.map((entry): Run => ({
      entry,
      costs: [],
      voidBecause: undefined,
      wrk: undefined,
      bytes: 0,
      peakRssBytes: 0,
    }));
    const { rounds } = this.effort;
    for (let round = 1; round <= rounds; round++) {
      await this.stopServers();
      await this.#measureRound(runs, `round ${round}/${rounds}`, round === rounds);
    }
    return runs.map(toRow);
  }

  async #measureRound(runs: readonly Run[], name: string, isLast: boolean): Promise<void> {
    const counting = runs.filter(({ voidBecause }) => voidBecause === undefined);
    const contestants = new Set(counting.map(({ entry }) => entry.contestant.name));
    this.say(`${name}: starts ${contestants.size} servers`);
    await Promise.allSettled(counting.map(({ entry }) => this.server(entry.contestant)));
    const turns: Turn[] = [];
    for (const run of counting) {
      await voiding(run, async () => void turns.push(await this.#prepare(run)));
    }
    const inTurn = async (
      what: string,
      measure: (turn: Turn, seconds: number) => Promise<void>,
    ): Promise<void> => {
      for (const [index, turn] of shuffle(turns).entries()) {
        const { run } = turn;
        if (run.voidBecause !== undefined) continue;
        const { work, contestant, longer = 1 } = run.entry;
        this.say(`${name}, ${what} ${index + 1}/${turns.length}: ${work}, ${contestant.name}`);
        await voiding(run, () => measure(turn, this.effort.seconds * longer));
      }
    };
    await inTurn('warm-up', async ({ run, server, work }, seconds) => {
      const warmSeconds = Math.min(run.entry.warmSeconds ?? 0.5, seconds * 8);
      await measureCost(server, work, { ...toLoad(run.entry), seconds: warmSeconds });
    });
    await inTurn('load', async ({ run, server, work }, seconds) => {
      run.costs.push(await measureCost(server, work, { ...toLoad(run.entry), seconds }));
    });
    if (isLast && this.#usesWrk) {
      await inTurn('wrk', async ({ run, server, work }, seconds) => {
        if (run.entry.withWrk !== true) return;
        run.wrk = await measureWithWrk(server, work, { ...toLoad(run.entry), seconds });
      });
    }
    await inTurn('check', async ({ run, server, work }) => {
      const wrong = run.entry.verdict(await get(server.origin + work.path, work.headers));
      if (wrong !== undefined) throw new Error(`answers wrongly after the load: ${wrong}`);
      run.peakRssBytes = Math.max(run.peakRssBytes, readProcessCost(server.pid).peakBytes);
    });
  }

  async #prepare(run: Run): Promise<Turn> {
    const { entry } = run;
    const server = await this.server(entry.contestant);
    const headers: Record<string, string> = { ...entry.headers };
    if (entry.revalidates === true) {
      const { etag } = (await get(server.origin + entry.path, entry.headers)).headers;
      if (typeof etag !== 'string') throw new Error('answers without an entity tag');
      headers['if-none-match'] = etag;
    }
    let answer: RawAnswer = await get(server.origin + entry.path, headers);
    let wrong = entry.verdict(answer);
    for (let i = 0; wrong !== undefined && entry.settles === true && i < SETTLING_TRIES; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await get(server.origin + entry.path, headers);
      wrong = entry.verdict(answer);
    }
    if (wrong !== undefined) throw new Error(`answers wrongly: ${wrong}`);
    run.bytes = answer.body.byteLength;
    const status = entry.revalidates === true ? 304 : 200;
    return { run, server, work: { path: entry.path, headers, status } };
  }
}

async function voiding(run: Run, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    run.voidBecause = (error as Error).message.trim();
  }
}

function toLoad({ connections = 20 }: Entry): { connections: number } {
  return { connections };
}

function toRow({ entry, costs, wrk, bytes, peakRssBytes, voidBecause }: Run): Row {
  if (voidBecause !== undefined) return { ...describe(entry), voidBecause };
  return {
    ...describe(entry),
    cpuUs: spreadOf(costs.map(({ microseconds }) => microseconds)),
    requestsPerSecond: spreadOf(costs.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50Ms: spreadOf(costs.map(({ p50Ms }) => p50Ms)),
    p99Ms: spreadOf(costs.map(({ p99Ms }) => p99Ms)),
    bytes,
    peakRssBytes,
    ...(wrk === undefined
      ? {}
      : {
          wrk: {
            cpuUs: wrk.microseconds,
            requestsPerSecond: wrk.requestsPerSecond,
            p50Ms: wrk.p50Ms,
            p99Ms: wrk.p99Ms,
          },
        }),
  };
}

function describe({ scenario, work, contestant, x, published, note, ...entry }: Entry): Row {
  const remark = note ?? contestant.note;
  const server = entry.server ?? contestant.name;
  return {
    id: `${scenario}/${work}/${server}`,
    scenario,
    work,
    server,
    ...(x === undefined ? {} : { x }),
    ...(published === undefined ? {} : { published }),
    ...(remark === undefined ? {} : { note: remark }),
  };
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
