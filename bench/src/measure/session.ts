import { execFileSync } from 'node:child_process';
import { boundOf } from './bound.ts';
import type { Contestant } from './contestant.ts';
import type { Cores } from './cores.ts';
import { type Cost, measureCost, type Work } from './load.ts';
import { readProcessCost } from './process-cost.ts';
import { get, type RawAnswer } from './request.ts';
import type { Row } from './row.ts';
import { type Server, settle, startServer } from './server.ts';
import { type Quartiles, quartilesOf, type Spread, spreadOf } from './spread.ts';
import type { Verdict } from './verdict.ts';
import { requireWrk } from './wrk.ts';

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
  /** Whether the answer becomes right only after some requests: encodings made in the background. */
  readonly settles?: boolean;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The validators to send back are asked of the server itself: the ETag alone, or the date beside it, as
   * browsers do.
   */
  readonly revalidates?: 'tag' | 'tag and date';
  readonly verdict: Verdict;
  readonly connections?: number;
  /** How many threads or processes of the server answer. Default: 1. */
  readonly serverThreads?: number;
  /** Threads of the load generator. Default: 1. */
  readonly loadThreads?: number;
  /** Rendering takes longer than the usual to become warm. */
  readonly warmSeconds?: number;
  /** How much longer than the usual each round is, where small differences count. */
  readonly longer?: number;
  /** Whether its cost is also compared with that of the first entry of its work, in the same rounds. */
  readonly isCompared?: boolean;
  readonly x?: number;
  readonly published?: number;
  readonly note?: string;
}

interface Running {
  readonly entry: Entry;
  readonly server: Server;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: RawAnswer;
  readonly costs: Cost[];
  voidBecause: string | undefined;
}

const SETTLING_TRIES = 100;

/** Starts servers, loads them in interleaved and shuffled rounds, and makes rows of it. */
export class Session {
  readonly effort: Effort;
  readonly #cores: Cores;
  readonly #onProgress: (text: string) => void;
  readonly #servers = new Map<string, Promise<Server>>();

  constructor(effort: Effort, cores: Cores, onProgress: (text: string) => void) {
    this.effort = effort;
    this.#cores = cores;
    this.#onProgress = onProgress;
  }

  /** What to put before the command of a program that may use all cores. */
  get onAllCores(): readonly string[] {
    return this.#cores.allPrefix;
  }

  /** Puts this process, and what it starts, on all cores: a browser would be on one with the load generator. */
  useAllCores(): void {
    const { allPrefix } = this.#cores;
    if (!allPrefix.includes('taskset')) return;
    execFileSync('taskset', ['-acp', allPrefix.at(-1)!, String(process.pid)], { stdio: 'ignore' });
  }

  /** How many cores there are for servers and load generator together. */
  get cores(): number {
    return this.#cores.count;
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

  /** All entries in turn, each round in another order; a wrong answer voids its row. */
  async interleave(entries: readonly Entry[]): Promise<Row[]> {
    requireWrk();
    const rows: Row[] = [];
    const running: Running[] = [];
    this.say(`starts ${new Set(entries.map(({ contestant }) => contestant.name)).size} servers`);
    await Promise.allSettled(entries.map(({ contestant }) => this.server(contestant)));
    for (const entry of entries) {
      try {
        running.push(await this.#prepare(entry));
      } catch (error) {
        rows.push({ ...describe(entry), voidBecause: (error as Error).message.trim() });
      }
    }
    const { rounds, seconds, isQuick } = this.effort;
    for (let round = 0; round <= rounds; round++) {
      const isWarmUp = round === 0;
      for (const [index, one] of shuffle(running).entries()) {
        if (one.voidBecause !== undefined) continue;
        this.say(
          `${isWarmUp ? 'warm-up' : `round ${round}/${rounds}`}, ${index + 1}/${running.length}: ` +
            `${one.entry.work}, ${one.entry.contestant.name}`,
        );
        const mostWarm = seconds * (isQuick ? 4 : 8);
        const warmSeconds = Math.min(one.entry.warmSeconds ?? 0.5, mostWarm);
        const longer = seconds * (one.entry.longer ?? 1);
        await this.#measure(one, isWarmUp ? warmSeconds : longer, isWarmUp);
      }
    }
    for (const one of running) {
      const row = await this.#toRow(one);
      rows.push(row.voidBecause === undefined ? { ...row, ...ratioTo(running, one) } : row);
    }
    return entries.map((entry) => rows.find(({ id }) => id === describe(entry).id)!);
  }

  async #prepare(entry: Entry): Promise<Running> {
    const server = await this.server(entry.contestant);
    const headers = toHeaders(entry.headers, server.origin);
    if (entry.revalidates !== undefined) {
      const { etag, 'last-modified': date } = (await get(server.origin + entry.path, headers))
        .headers;
      if (typeof etag !== 'string') throw new Error('an answer without an ETag');
      headers['If-None-Match'] = etag;
      if (entry.revalidates === 'tag and date' && typeof date === 'string') {
        headers['If-Modified-Since'] = date;
      }
    }
    let answer: RawAnswer = await get(server.origin + entry.path, headers);
    let wrong = entry.verdict(answer);
    for (let i = 0; wrong !== undefined && entry.settles === true && i < SETTLING_TRIES; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await get(server.origin + entry.path, headers);
      wrong = entry.verdict(answer);
    }
    if (wrong !== undefined) throw new Error(`a wrong answer: ${wrong}`);
    return { entry, server, headers, answer, costs: [], voidBecause: undefined };
  }

  async #measure(one: Running, seconds: number, isWarmUp: boolean): Promise<void> {
    const { entry, server, headers, answer } = one;
    const work: Work = { path: entry.path, headers, wireBytes: answer.wireBytes };
    try {
      const cost = await measureCost(server, work, {
        connections: entry.connections ?? 20,
        seconds,
        threads: entry.loadThreads ?? 1,
        prefix: entry.contestant.isPinned === false ? this.#cores.generatorOnAll : [],
      });
      if (!isWarmUp) one.costs.push(cost);
      // What is in flight when a long round ends must not run in the next server's.
      if (entry.longer !== undefined) await settle(server.pid);
    } catch (error) {
      one.voidBecause = (error as Error).message;
    }
  }

  async #toRow({ entry, server, headers, answer, costs, voidBecause }: Running): Promise<Row> {
    let wrong = voidBecause;
    try {
      wrong ??= entry.verdict(await get(server.origin + entry.path, headers));
    } catch (error) {
      wrong = (error as Error).message;
    }
    if (wrong !== undefined) return { ...describe(entry), voidBecause: wrong };
    const of = (pick: (cost: Cost) => number): Spread => spreadOf(costs.map(pick));
    const encoding = answer.headers['content-encoding'];
    const [serverCores, generatorCores] = [
      of((cost) => cost.serverCores),
      of((cost) => cost.generatorCores),
    ];
    return {
      ...describe(entry),
      cpuUs: of(({ microseconds }) => microseconds),
      requestsPerSecond: of(({ requestsPerSecond }) => requestsPerSecond),
      p50Ms: of(({ p50Ms }) => p50Ms),
      p99Ms: of(({ p99Ms }) => p99Ms),
      serverCores,
      generatorCores,
      bound: boundOf({
        serverCores: serverCores.median,
        serverThreads: entry.serverThreads ?? 1,
        generatorCores: generatorCores.median,
        generatorThreads: entry.loadThreads ?? 1,
        sharedCores: entry.contestant.isPinned === false ? this.cores : undefined,
      }),
      ...(typeof encoding === 'string' ? { encoding } : {}),
      bytes: answer.body.byteLength,
      wireBytes: answer.wireBytes,
      peakRssBytes: readProcessCost(server.pid).peakBytes,
    };
  }
}

/** What a request cost, of one to the first entry of the same work, in the same rounds: undefined if that has failed. */
function ratioTo(
  running: readonly Running[],
  { entry, costs }: Running,
): { readonly ratio?: Quartiles } {
  const first = running.find((each) => each.entry.work === entry.work)!;
  if (entry.isCompared !== true || first.costs.length !== costs.length) return {};
  const ratios = costs.map((cost, at) => cost.microseconds / first.costs[at]!.microseconds);
  return { ratio: quartilesOf(ratios) };
}

/** The headers of a request to one server. */
function toHeaders(
  headers: Readonly<Record<string, string>>,
  origin: string,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll('{origin}', origin),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
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
