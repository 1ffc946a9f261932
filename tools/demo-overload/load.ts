import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LoadOptions, LoadReport } from './load-thread.ts';
import type { Tally } from './tally.ts';

/** Requests at a rate, from a thread of their own. */
export class Load {
  /** Requests sent so far. */
  sent = 0;
  readonly #thread: Worker;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** Opens the connections; nothing is asked for so far. */
  static async prepare(options: LoadOptions): Promise<Load> {
    const thread = new Worker(new URL('./load-thread.ts', import.meta.url), {
      workerData: options,
    });
    await once(thread, 'message');
    return new Load(thread);
  }

  /** Begins; resolves when the last request is answered. */
  run(tally: Tally): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#thread.once('error', reject);
      this.#thread.on('message', ({ answered, sent, isOver }: LoadReport) => {
        this.sent = sent;
        answered.forEach((answer) => tally.add(answer));
        if (isOver) resolve();
      });
      this.#thread.postMessage('begin');
    });
  }
}
