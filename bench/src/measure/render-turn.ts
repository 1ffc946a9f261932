import { PerformanceObserver } from 'node:perf_hooks';

/** Renders one page to its bytes. */
export type Render = (path: string) => Promise<Uint8Array>;

/** What a turn renders, and how long. */
export interface TurnOrder {
  readonly path: string;
  /** A turn ends with the render that ends after so much CPU time, however busy the machine is. */
  readonly turnMs: number;
  /** Renders in flight at once. */
  readonly concurrency: number;
}

/** What one turn cost per render, in microseconds. */
export interface Turn {
  /** Of all threads of the process. */
  readonly cpuUs: number;
  readonly mainUs: number;
  /** That the main thread waited for the garbage collector. */
  readonly gcUs: number;
}

const collections: { readonly startTime: number; readonly duration: number }[] = [];
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
observer.observe({ entryTypes: ['gc'] });

/** Renders a page again and again, and measures what that costs in this process. */
export async function takeTurn(
  render: Render,
  { path, turnMs, concurrency }: TurnOrder,
): Promise<Turn> {
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
