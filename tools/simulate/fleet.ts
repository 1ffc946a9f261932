import type { Purge } from '@ng-ssr/core';
import type { Answer } from '@ng-ssr/core/adapter';
import { type Counts, figuresOf, noCounts, type PhaseFigures, round } from './figures.ts';
import { Machine, PageExchange } from './machine.ts';
import { randomFrom } from './random.ts';
import { phasesOf, type Scenario } from './scenario.ts';
import { DATA_HEADER, type PageRequest, requestsOf, Site } from './site.ts';
import { Store, type StoreFigures } from './store.ts';
import { type Plants, StoreClient } from './store-client.ts';
import { type Arrivals, VirtualTime } from './virtual-time.ts';

/** A time before which the oldest page of a filled store was rendered: times of pages are above 0. */
const START_MS = 2 ** 30;

/** How long after the beginning of a phase its event comes, so that the phase has a second to compare with. */
const BEFORE_EVENT_MS = 1000;

interface Purged {
  readonly atMs: number;
  readonly isHard: boolean;
  lastOldMs: number | undefined;
}

/** The machines behind a load balancer, which takes any of those that are there. */
export class Fleet implements Arrivals {
  readonly scenario: Scenario;
  readonly time = new VirtualTime(START_MS);
  readonly #site: Site;
  readonly #store: Store | undefined;
  readonly #plants: Plants;
  readonly #machines: (Machine | undefined)[] = [];
  /** Those that are there. */
  #present: Machine[] = [];
  readonly #next: () => PageRequest;
  readonly #random: () => number;
  #buildId = 'build-1';
  /** The latest purge of each group of pages. */
  readonly #purged = new Map<number, Purged>();
  #purgeOfPhase: Purged | undefined;
  #counts: Counts = noCounts();
  #perSecond = new Map<number, number>();
  /** When the next request comes. */
  nextMs = Infinity;

  constructor(scenario: Scenario, plants: Plants = {}) {
    this.scenario = scenario;
    this.#plants = plants;
    this.#site = new Site(scenario);
    this.#random = randomFrom(scenario.seed + 1);
    this.#next = requestsOf(scenario);
    const store = (): Store =>
      new Store(scenario, this.#site, this.time, randomFrom(scenario.seed + 2));
    this.#store = scenario.shards > 0 ? store() : undefined;
  }

  /** Runs all phases. */
  async run(onPhase: (figures: PhaseFigures) => void = () => undefined): Promise<PhaseFigures[]> {
    const { scenario, time } = this;
    time.install();
    try {
      this.start();
      const all: PhaseFigures[] = [];
      const add = (figures: PhaseFigures): void => {
        all.push(figures);
        onPhase(figures);
      };
      add(await this.phase('warm-up', scenario.warmUpSeconds));
      for (const name of phasesOf(scenario)) {
        add(await this.phase(name, scenario.phaseSeconds, this.#eventOf(name)));
      }
      return all;
    } finally {
      time.uninstall();
    }
  }

  /** Starts all machines; the clock must be installed. */
  start(): void {
    const { machines, prefill } = this.scenario;
    if (prefill > 0) this.#store?.prefill(this.#buildId);
    for (let at = 0; at < machines; at++) this.#startMachine(at);
    this.nextMs = this.time.nowMs + this.#gapMs();
  }

  /** @param event - Called a second after the beginning. */
  async phase(name: string, seconds: number, event?: () => void): Promise<PhaseFigures> {
    const { time } = this;
    this.#counts = noCounts();
    this.#perSecond = new Map();
    this.#purgeOfPhase = undefined;
    const before: StoreFigures = { ...(this.#store?.figures ?? NO_STORE) };
    const endMs = time.nowMs + seconds * 1000;
    if (event !== undefined) time.at(time.nowMs + BEFORE_EVENT_MS, event, true);
    await time.runUntil(endMs, this);
    const after = this.#store?.figures ?? NO_STORE;
    const store = {
      ...{ reads: after.reads - before.reads, writes: after.writes - before.writes },
      readBytes: after.readBytes - before.readBytes,
      writtenBytes: after.writtenBytes - before.writtenBytes,
    };
    const memories = this.#present.map((machine) => machine.memory());
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
    const purged = this.#purgeOfPhase as Purged | undefined;
    return figuresOf(
      name,
      seconds,
      { counts: this.#counts, store, perSecond: this.#perSecond },
      {
        busyCores: round((this.#counts.renders * this.scenario.renderMs) / 1000 / seconds, 2),
        memoryGb: round(sum(memories.map(({ bytes }) => bytes)) / 1e9, 2),
        pagesPerMachine: Math.round(sum(memories.map(({ pages }) => pages)) / memories.length),
        storeGb: round((this.#store?.liveBytes() ?? 0) / 1e9, 2),
        staleSeconds: purged && round(((purged.lastOldMs ?? purged.atMs) - purged.atMs) / 1000, 3),
      },
    );
  }

  /** The next request. */
  arrive(): boolean {
    this.nextMs += this.#gapMs();
    const request = this.#next();
    const machine = this.#present[Math.floor(request.machine * this.#present.length)]!;
    return this.send(machine, request);
  }

  /** @returns whether it waits for something. */
  send(machine: Machine, { page, variant }: PageRequest): boolean {
    const sinceMs = this.time.nowMs;
    const cookie = variant > 0 ? `variant=${variant}` : undefined;
    const exchange = new PageExchange(this.#site.host, this.#site.pathOf(page), cookie);
    this.#counts.requests++;
    const found = machine.find(exchange);
    if (found !== undefined) {
      this.#counts.memory++;
      this.#check(machine, page, found, sinceMs);
      return false;
    }
    const counts = this.#counts;
    const from = machine.look(exchange);
    void machine.answer(exchange).then((answer) => {
      if (answer === undefined || answer.status !== 200) {
        counts.refused++;
        return;
      }
      const isRendered = /fwd=/.test(valueOf(answer, 'cache-status')) && from === undefined;
      counts[from === 'waits' ? 'waited' : (from ?? (isRendered ? 'render' : 'store'))]++;
      this.#check(machine, page, answer, sinceMs);
    });
    return true;
  }

  /** The machine at a place, for tests. */
  machineAt(at: number): Machine {
    return this.#machines[at]!;
  }

  get counts(): Readonly<Counts> {
    return this.#counts;
  }

  /** Purges a group of pages, whose data have just changed, on the first machine that is there. */
  async purge(group: number, isHard: boolean): Promise<void> {
    const machine = this.#present[0]!;
    const atMs = Math.ceil(this.time.nowMs);
    const purged: Purged = { atMs, isHard, lastOldMs: undefined };
    this.#purged.set(group, purged);
    this.#purgeOfPhase = purged;
    machine.known.set(group, { sinceMs: atMs, knownAtMs: this.time.nowMs, isHard });
    const purge: Purge = { tag: `group-${group}`, ...(isHard && { hard: true }) };
    // As a caller does that gets an error: it purges again.
    for (;;) {
      try {
        return await machine.purge(purge);
      } catch {
        await this.time.wait(1000);
      }
    }
  }

  #eventOf(name: string): (() => void) | undefined {
    const { scenario, time } = this;
    const sMs = scenario.phaseSeconds * 1000;
    switch (name) {
      case 'soft-purge':
        return () => void this.purge(this.#groupOfMostRequested(), false);
      case 'hard-purge':
        return () => void this.purge(this.#groupOfMostRequested(), true);
      case 'shard-lost':
        return () => {
          // Not the first one, which has the purges.
          const shard = this.#store!.shards.at(-1)!;
          shard.isDown = true;
          time.at(time.nowMs + sMs / 2, () => {
            this.#store!.empty(shard);
            shard.isDown = false;
          });
        };
      case 'restarts':
        // All are back at its end.
        return () =>
          this.#restartAll(Math.max(sMs - 2 * BEFORE_EVENT_MS - scenario.restartSeconds * 1000, 0));
      case 'deploy':
        return () => {
          this.#buildId = `build-${Number(this.#buildId.split('-')[1]) + 1}`;
          this.#restartAll(Math.min(scenario.deploySeconds * 1000, sMs));
        };
      default:
        return undefined;
    }
  }

  /** One after the other, during a time. */
  #restartAll(duringMs: number): void {
    const { machines, restartSeconds } = this.scenario;
    const { time } = this;
    const begunMs = time.nowMs;
    // With one machine, the old process answers until the new one is ready.
    const awayMs = machines === 1 ? 0 : restartSeconds * 1000;
    for (let at = 0; at < machines; at++) {
      time.at(begunMs + (duringMs * at) / machines, () => this.#stopMachine(at, awayMs === 0));
      time.at(begunMs + (duringMs * at) / machines + awayMs, () => this.#startMachine(at), true);
    }
  }

  #stopMachine(at: number, isReplaced: boolean): void {
    const machine = this.#machines[at]!;
    // Requests that it has got are answered.
    if (!isReplaced && this.#present.length > 1) {
      this.#present = this.#present.filter((each) => each !== machine);
    }
    this.time.at(this.time.nowMs + 10_000, () => void machine.close(), true);
  }

  #startMachine(at: number): void {
    const { scenario, time } = this;
    const known: { machine?: Machine } = {};
    const onKnown = ({ tag }: Purge): void => {
      const group = Number(tag?.split('-')[1]);
      const purged = this.#purged.get(group);
      if (purged === undefined) return;
      const { atMs: sinceMs, isHard } = purged;
      known.machine?.known.set(group, { sinceMs, knownAtMs: time.nowMs, isHard });
    };
    const client =
      this.#store && new StoreClient(this.#store, this.#site, scenario, onKnown, this.#plants);
    const events = {
      rendered: () => {
        this.#counts.renders++;
        const second = Math.floor(time.nowMs / 1000);
        this.#perSecond.set(second, (this.#perSecond.get(second) ?? 0) + 1);
      },
      failed: () => undefined,
    };
    const machine = new Machine(scenario, this.#site, time, this.#buildId, client, events);
    known.machine = machine;
    const earlier = this.#machines[at];
    this.#machines[at] = machine;
    this.#present = [...this.#present.filter((each) => each !== earlier), machine];
    // A new machine has an empty memory, and the store knows all purges: none may be missed.
    for (const [group, { atMs: sinceMs, isHard }] of this.#purged) {
      machine.known.set(group, { sinceMs, knownAtMs: time.nowMs, isHard });
    }
  }

  /** Compares the age of the data of a page with the purges of its group. */
  #check(machine: Machine, page: number, answer: Answer, sinceMs: number): void {
    if (this.#purged.size === 0) return;
    const group = this.#site.groupOf(page);
    const purged = this.#purged.get(group);
    if (purged === undefined) return;
    const dataMs = Number(valueOf(answer, DATA_HEADER));
    if (dataMs >= purged.atMs) return;
    purged.lastOldMs = this.time.nowMs;
    if (purged === this.#purgeOfPhase) this.#counts.old++;
    const known = machine.known.get(group);
    if (known === undefined || dataMs >= known.sinceMs) return;
    // A request that came before the machine knew may get what it asked for then.
    if (sinceMs < known.knownAtMs) return;
    if (known.isHard || isFresh(valueOf(answer, 'cache-status'))) this.#counts.wrong++;
  }

  /** Of the most requested page: its purge causes most. */
  #groupOfMostRequested(): number {
    return 0;
  }

  #gapMs(): number {
    return (-Math.log(1 - this.#random()) * 1000) / this.scenario.requestsPerSecond;
  }
}

const NO_STORE: StoreFigures = { reads: 0, writes: 0, readBytes: 0, writtenBytes: 0 };

/** The value of a header; empty if there is none. */
function valueOf({ headers }: Answer, name: string): string {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]!.toLowerCase() === name) return headers[at + 1]!;
  }
  return '';
}

/** Whether a page was answered as one that is not stale. */
function isFresh(cacheStatus: string): boolean {
  const [, ttl] = /ttl=(-?\d+)/.exec(cacheStatus) ?? [];
  return ttl !== undefined && Number(ttl) > 0;
}
