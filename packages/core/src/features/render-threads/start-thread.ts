import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { EngineSetup } from '../../engine.ts';
import { toRenderThreadData } from '../../render-thread.ts';
import type { Entry } from '../../threads/entry.ts';
import { toThreadProgram } from '../../threads/thread-program.ts';

const NO_FORK =
  'cluster.fork() was called in a render thread, which also runs the whole program: call it only if ' +
  'isMainModule(import.meta.url) is true';

/** Options of render threads. */
export interface ThreadOptions {
  /** Which of the program's handlers they render for, from 0 in order of creation. */
  readonly handler: number;
  readonly setup: EngineSetup;
  readonly maxHeapBytes: number;
  /** Undefined leaves the priority of the process. */
  readonly niceness: number | undefined;
}

/** A thread, and the port for its messages. */
export interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

/**
 * Twice V8's default: a render allocates much that lives until it ends, and what survives a collection of the
 * young generation is copied.
 */
const MAX_YOUNG_MB = 96;
/** A heap is full when this share of its limit is in use after a garbage collection. */
const FULL_AT = 0.75;
const BYTES_PER_MIB = 1024 * 1024;

/**
 * Starts a thread that runs the program. It does not keep the process alive.
 *
 * @param shared - Counters of the renders that are sent to it.
 */
export function startThread(
  entry: Entry,
  { handler, setup, maxHeapBytes, niceness }: ThreadOptions,
  shared: Int32Array<SharedArrayBuffer>,
): Thread {
  const { port1: port, port2 } = new MessageChannel();
  const maxHeapMb = Math.floor(maxHeapBytes / BYTES_PER_MIB);
  const worker = new Worker(toThreadProgram(entry, process.argv.slice(2), NO_FORK), {
    name: 'ng-ssr-render',
    workerData: toRenderThreadData({
      handler,
      entry: entry.url.href,
      setup,
      fullAtBytes: maxHeapBytes * FULL_AT,
      niceness,
      port: port2,
      shared,
    }),
    transferList: [port2],
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMb,
      maxYoungGenerationSizeMb: Math.min(MAX_YOUNG_MB, maxHeapMb),
    },
  });
  return { worker, port };
}
