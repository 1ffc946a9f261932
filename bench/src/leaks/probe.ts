/** Preloaded into the server that is measured: says over IPC what its heap holds after collections. */
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapStatistics, writeHeapSnapshot } from 'node:v8';

/** What is asked: the bytes in use, or a heap snapshot in this file. */
export interface Question {
  readonly snapshotFile?: string;
}

/** Some objects are freed by the second collection only: those that a finaliser held. */
const COLLECTIONS = 3;

process.on('message', ({ snapshotFile }: Question) => {
  void (async () => {
    for (let i = 0; i < COLLECTIONS; i++) {
      globalThis.gc!();
      await turn();
    }
    if (snapshotFile !== undefined) writeHeapSnapshot(snapshotFile);
    process.send!(getHeapStatistics().used_heap_size);
  })();
});
process.channel!.unref();
