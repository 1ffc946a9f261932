import { type MessagePort, workerData } from 'node:worker_threads';
import type { EngineSetup } from '../../engine.ts';

/** What a thread that renders is started with. */
export interface WorkerData {
  /** Which of the program's handlers it renders for: the first to be created is 0. */
  readonly handler: number;
  /** The program, which the thread runs as the main thread does. */
  readonly entry: string;
  readonly setup: EngineSetup;
  /** Above this many bytes of heap the thread asks to be replaced. */
  readonly fullAtBytes: number;
  /** Renders come, and pages go, through this. */
  readonly port: MessagePort;
  /** What both threads see while this one is busy, by the indices {@link BEGUN} and {@link WITHDRAWN}. */
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/** How many renders the thread has begun; they are sent with the numbers 1, 2, and so on. */
export const BEGUN = 0;
/** Renders with numbers up to this one that are not begun have been given to other threads. */
export const WITHDRAWN = 1;

/** Threads of others have data of their own. */
const NAME = 'ng-ssr:render';

export function toWorkerData(data: WorkerData): Record<string, WorkerData> {
  return { [NAME]: data };
}

/** What this thread was started with, where it is one that renders; undefined elsewhere. */
export const renderThread: WorkerData | undefined = read(workerData);

function read(data: unknown): WorkerData | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  return (data as Record<string, WorkerData | undefined>)[NAME];
}
