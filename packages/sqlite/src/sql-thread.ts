import { Worker } from 'node:worker_threads';
import {
  type Job,
  type Row,
  THREAD_PROGRAM,
  type ThreadData,
  type ThreadError,
  type ThreadReply,
} from './thread-program.ts';

/** The rows of a job's steps, and the file that they are of. */
export interface JobResult {
  readonly rows: readonly (readonly Row[])[];
  readonly fileId: string;
}

/** A job that the thread could not do. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly reason: ThreadError['reason'];

  constructor({ reason, message }: ThreadError, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    // Its own lines say nothing about the file.
    this.stack = `${this.name}: ${message}`;
  }
}

interface Waiting {
  resolve(result: JobResult): void;
  reject(error: JobError): void;
}

/** The thread with the connection to the file: SQLite's calls do not return before the disk has answered. */
export class SqlThread {
  readonly #data: ThreadData;
  #worker: Worker | undefined;
  #waiting: Waiting[] = [];

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /** @throws JobError if it could not be done. */
  run(job: Job): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage(job);
        this.#waiting.push({ resolve, reject });
        // Only jobs keep the process alive.
        this.#worker.ref();
      } catch (cause) {
        reject(new JobError({ reason: 'failed', message: String(cause) }, { cause }));
      }
    });
  }

  /** Ends the thread after its jobs, or after this time. In milliseconds. */
  async close(timeoutMs: number): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
      timer = setTimeout(resolve, timeoutMs);
      worker.postMessage('close');
    });
    clearTimeout(timer);
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(THREAD_PROGRAM, {
      eval: true,
      name: 'ng-ssr sqlite',
      workerData: this.#data,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    let cause: unknown;
    worker.on('message', (reply: ThreadReply) => this.#answer(reply));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => this.#lose(cause));
    return worker;
  }

  #answer({ rows, fileId, error }: ThreadReply): void {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker?.unref();
    if (rows !== undefined && fileId !== undefined) waiting?.resolve({ rows, fileId });
    else waiting?.reject(new JobError(error ?? { reason: 'failed', message: 'no rows' }));
  }

  /** A thread that has ended is started again for the next job. */
  #lose(cause: unknown): void {
    this.#worker = undefined;
    const lost = this.#waiting;
    this.#waiting = [];
    const message = 'the thread of the file has ended';
    for (const { reject } of lost) reject(new JobError({ reason: 'failed', message }, { cause }));
  }
}
