import { type Profiler, Session } from 'node:inspector/promises';
import type { Turn } from '../measure/render-turn.ts';
import type { VoidTurn } from './side-process.ts';

/** A function as V8 names it: lines and columns count from 0. */
export interface Frame {
  readonly functionName: string;
  /** Empty for V8's own functions. */
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A function, and the time in which V8 found the main thread in it and not in what it calls. */
export interface FrameTime extends Frame {
  readonly selfUs: number;
}

/** Where the time of warm renders goes. */
export interface RenderProfile {
  readonly frames: readonly FrameTime[];
  /** CPU time of the main thread per render, measured without the profiler. */
  readonly mainUs: number;
}

const SAMPLING_US = 200;

/** Takes three turns: one to warm up, one to measure and one with the profiler on, which costs time itself. */
export async function takeProfile(
  takeTurn: () => Promise<Turn | VoidTurn>,
): Promise<RenderProfile | VoidTurn> {
  const warming = await takeTurn();
  if ('voidBecause' in warming) return warming;
  const measured = await takeTurn();
  if ('voidBecause' in measured) return measured;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
  await session.post('Profiler.start');
  const profiled = await takeTurn();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  if ('voidBecause' in profiled) return profiled;
  return { frames: timesOf(profile), mainUs: measured.mainUs };
}

/** What V8 names when the thread waits. */
const IDLE = '(idle)';

/** The time from each sample to the next is that of the function that was found. Waiting is left out. */
export function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): FrameTime[] {
  const times = new Map<number, number>();
  for (const [at, id] of samples.entries()) {
    times.set(id, (times.get(id) ?? 0) + (timeDeltas[at + 1] ?? 0));
  }
  const frames = new Map<string, FrameTime>();
  for (const { id, callFrame } of nodes) {
    const time = times.get(id) ?? 0;
    if (time === 0 || callFrame.functionName === IDLE) continue;
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    const key = [functionName, url, lineNumber, columnNumber].join();
    const selfUs = (frames.get(key)?.selfUs ?? 0) + time;
    frames.set(key, { functionName, url, lineNumber, columnNumber, selfUs });
  }
  return [...frames.values()];
}
