import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** What hits and renders took while both went on. */
export interface PacedTimes {
  /** Milliseconds from when a hit was due: one that could not be sent in time has waited too. */
  readonly hits: readonly number[];
  readonly renders: number;
}

/** What hit-loop.ts is started with. */
export interface HitLoop {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** What render-loop.ts is started with. */
export interface RenderLoop {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Hits at a fixed rate, whatever they take, and renders in a loop on some connections. Each comes from
 * a process of its own: collecting the benchmark's heap, or reading rendered pages, takes longer than
 * what is measured.
 */
export async function loadPaced(
  origin: string,
  load: {
    readonly hit: string;
    readonly hitsPerSecond: number;
    readonly render: string;
    readonly renderConnections: number;
    readonly seconds: number;
  },
): Promise<PacedTimes> {
  const { hit, hitsPerSecond, render, renderConnections: connections, seconds } = load;
  const [hits, renders] = await Promise.all([
    start('hit-loop.ts', { url: origin + hit, perSecond: hitsPerSecond, seconds }),
    start('render-loop.ts', { url: origin + render, connections, seconds }),
  ]);
  for (const { child } of [hits, renders]) child.send('go');
  return { hits: await hits.result<number[]>(), renders: await renders.result<number>() };
}

interface Loop {
  readonly child: ChildProcess;
  /** @throws Error when the program ends without one. */
  result<T>(): Promise<T>;
}

async function start(program: string, of: HitLoop | RenderLoop): Promise<Loop> {
  const child = fork(join(import.meta.dirname, program), [JSON.stringify(of)]);
  const messages: unknown[] = [];
  let wake: (() => void) | undefined;
  child.on('message', (message) => {
    messages.push(message);
    wake?.();
  });
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
    wake?.();
  });
  const next = async <T>(): Promise<T> => {
    while (messages.length === 0) {
      if (hasEnded) throw new Error(`${program} has ended with ${child.exitCode}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return messages.shift() as T;
  };
  await next();
  return { child, result: next };
}
