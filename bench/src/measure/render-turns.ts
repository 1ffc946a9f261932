/** A program: renders a page by each of several sides in turn, all in this process, and says what each turn cost. */
import { PerformanceObserver } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { numbersFrom, shuffled } from './seeded-numbers.ts';

/** What the program is given. */
export interface TurnsOrder {
  readonly sides: readonly { readonly name: string; readonly module: string }[];
  readonly path: string;
  readonly rounds: number;
  /** A turn ends with the render that ends after so much CPU time, however busy the machine is. */
  readonly turnMs: number;
  /** For each side, in turns of the same length. */
  readonly warmMs: number;
  /** Renders in flight at once. */
  readonly concurrency: number;
  readonly seed: number;
}

/** What one turn cost per render, in microseconds. */
export interface Turn {
  /** Of all threads of the process. */
  readonly cpuUs: number;
  readonly mainUs: number;
  /** That the main thread waited for the garbage collector. */
  readonly gcUs: number;
}

/** What the program found of one side. */
export interface SideTurns {
  readonly name: string;
  /** One in each round. */
  readonly turns: readonly Turn[];
  /** The page before all turns and after them. */
  readonly first: string;
  readonly last: string;
}

interface Side {
  readonly name: string;
  readonly render: (path: string) => Promise<Uint8Array>;
  readonly first: string;
  readonly turns: Turn[];
}

const { sides, path, rounds, turnMs, warmMs, concurrency, seed } = JSON.parse(
  process.argv[2]!,
) as TurnsOrder;

// A render thread does not keep its process alive.
setInterval(() => undefined, 60_000);

const collections: { readonly startTime: number; readonly duration: number }[] = [];
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
observer.observe({ entryTypes: ['gc'] });

async function load(name: string, module: string): Promise<Side> {
  const { render } = (await import(pathToFileURL(module).href)) as Pick<Side, 'render'>;
  return { name, render, first: await read(render), turns: [] };
}

async function read(render: Side['render']): Promise<string> {
  return Buffer.from(await render(path)).toString();
}

async function takeTurn({ render }: Side): Promise<Turn> {
  collections.length = 0;
  const start = performance.now();
  const cpu = process.cpuUsage();
  const main = process.threadCpuUsage();
  let renders = 0;
  let next = start;
  const hasTime = (): boolean => {
    // Asked a few times in a turn: the question costs as much as a part of a small page.
    if (performance.now() < next) return true;
    next = performance.now() + turnMs / 20;
    const { user, system } = process.cpuUsage(cpu);
    return user + system < turnMs * 1000;
  };
  const renderOn = async (): Promise<void> => {
    do {
      await render(path);
      renders++;
    } while (hasTime());
  };
  await Promise.all(Array.from({ length: concurrency }, renderOn));
  const { user, system } = process.cpuUsage(cpu);
  const ofMain = process.threadCpuUsage(main);
  const stop = performance.now();
  // The observer hears of a collection in a later turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const gcMs = collections
    .filter(({ startTime }) => startTime >= start && startTime < stop)
    .reduce((sum, { duration }) => sum + duration, 0);
  return {
    cpuUs: (user + system) / renders,
    mainUs: (ofMain.user + ofMain.system) / renders,
    gcUs: (gcMs * 1000) / renders,
  };
}

const loaded: Side[] = [];
for (const { name, module } of sides) loaded.push(await load(name, module));
const next = numbersFrom(seed);
const warmRounds = Math.ceil(warmMs / turnMs);
for (let round = -warmRounds; round < rounds; round++) {
  for (const side of shuffled(loaded, next)) {
    const turn = await takeTurn(side);
    if (round >= 0) side.turns.push(turn);
  }
}
const found: SideTurns[] = [];
for (const { name, render, first, turns } of loaded) {
  found.push({ name, turns, first, last: await read(render) });
}
process.send!(found, () => process.exit(0));
