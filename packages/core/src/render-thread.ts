import { type MessagePort, workerData } from 'node:worker_threads';
import type { EngineSetup } from './engine.ts';

/** What a render thread is started with. */
export interface RenderThreadData {
  /** Which of the program's handlers it renders for, from 0 in order of creation. */
  readonly handler: number;
  /** URL of the program, which the thread runs as the main thread does. */
  readonly entry: string;
  readonly setup: EngineSetup;
  /** Above this many bytes of heap the thread asks to be replaced. */
  readonly fullAtBytes: number;
  /** The least nice value of the thread; undefined leaves the one of the process. */
  readonly niceness: number | undefined;
  /** Receives renders and sends pages. */
  readonly port: MessagePort;
  /** Counters that both threads can read while this one is busy. */
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/** Worker threads of other packages have their own data. */
const NAME = 'ng-ssr:render';

export function toRenderThreadData(data: RenderThreadData): Record<string, RenderThreadData> {
  return { [NAME]: data };
}

/** What this render thread was started with; undefined in other threads. */
export const renderThread: RenderThreadData | undefined = read(workerData);
export const isRenderThread: boolean = renderThread !== undefined;

function read(data: unknown): RenderThreadData | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  return (data as Record<string, RenderThreadData | undefined>)[NAME];
}
