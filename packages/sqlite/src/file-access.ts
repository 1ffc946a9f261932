import { setTimeout as wait } from 'node:timers/promises';
import type { SsrError } from '@ng-ssr/core';
import { NoAnswerError, within } from '@ng-ssr/core/store';
import { Outages } from './outages.ts';
import { JobError, type JobResult, type SqlThread } from './sql-thread.ts';
import type { Job, ThreadError } from './thread-program.ts';

/** The longest pause between two attempts to get the lock of the file. */
const LONGEST_PAUSE_MS = 5;
/** The time that a thread has to start and to open the file. */
const OPENING_MS = 400;
/** A file that cannot be used is not tried for this time, which doubles up to the longest. */
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;
/** A thread without an answer for this time hangs, such as on a disk that does not answer. */
const HANGS_AFTER_MS = 1_000;

/** Not tried, because the last attempt has failed or has no answer yet. */
class RestingError extends Error {
  override readonly name = 'RestingError';

  constructor() {
    super('not tried: the last attempt failed, or still runs');
  }
}

/** The way to the file: within its time or not at all, and without waiting for a file that cannot be used. */
export class FileAccess {
  readonly #thread: SqlThread;
  readonly #outages: Outages;
  #isOpened = false;
  #isEnded = false;
  /** Jobs without an answer in time. */
  #overdue = 0;
  #restMs = 0;
  #restsUntilMs = 0;
  #lockRestsUntilMs = 0;

  constructor(thread: SqlThread, file: string, onError: (error: SsrError) => void) {
    this.#thread = thread;
    this.#outages = new Outages(file, onError);
  }

  /**
   * Does a job. While another process has the lock of the file, it is tried again.
   *
   * @throws JobError, NoAnswerError, RestingError
   */
  async run(job: Job, timeoutMs: number): Promise<JobResult> {
    const mostMs = this.#isOpened ? timeoutMs : Math.max(timeoutMs, OPENING_MS);
    const endMs = performance.now() + mostMs;
    for (let isFirst = true; ; isFirst = false) {
      if (this.#isResting(job)) throw new RestingError();
      try {
        const result = await this.#ask(job, Math.max(1, endMs - performance.now()));
        this.#succeeded(job);
        return result;
      } catch (error) {
        if (this.#isEnded) throw error;
        const reason = error instanceof JobError ? error.reason : 'busy';
        const pauseMs = 1 + Math.random() * (LONGEST_PAUSE_MS - 1);
        const isLocked = reason === 'busy' && error instanceof JobError;
        if (isLocked && performance.now() + pauseMs < endMs) {
          await wait(pauseMs);
          continue;
        }
        this.#failed(job, reason, error);
        // There is a new file for the next attempt.
        if (reason !== 'damaged' || !isFirst) throw error;
      }
    }
  }

  /** No job is done from now on. Waits for those in flight, up to this time in milliseconds. */
  async end(timeoutMs: number): Promise<void> {
    this.#isEnded = true;
    await this.#thread.close(timeoutMs);
  }

  #isResting({ kind }: Job): boolean {
    const nowMs = performance.now();
    if (this.#isEnded || nowMs < this.#restsUntilMs) return true;
    // No page waits for a purge, and purges must arrive.
    if (kind === 'durable') return false;
    return this.#overdue > 0 || (kind === 'write' && nowMs < this.#lockRestsUntilMs);
  }

  async #ask(job: Job, timeoutMs: number): Promise<JobResult> {
    const asked = this.#thread.run(job);
    try {
      return await within(asked, timeoutMs);
    } catch (error) {
      if (error instanceof NoAnswerError) this.#await(asked, job, error);
      throw error;
    }
  }

  /** Jobs are answered in their order: until this one is, others would be late too. */
  #await(asked: Promise<JobResult>, job: Job, error: NoAnswerError): void {
    this.#overdue++;
    const hangs = setInterval(() => this.#outages.failed(job, 'busy', error), HANGS_AFTER_MS / 5);
    hangs.unref();
    const answered = (): void => {
      this.#overdue--;
      clearInterval(hangs);
    };
    asked.then(answered, answered);
  }

  #succeeded(job: Job): void {
    this.#isOpened = true;
    this.#restMs = 0;
    this.#outages.succeeded(job);
  }

  #failed(job: Job, reason: ThreadError['reason'], cause: unknown): void {
    const isOutage = this.#outages.failed(job, reason, cause);
    const nowMs = performance.now();
    if (reason === 'failed' || reason === 'foreign') {
      this.#restMs = Math.min(this.#restMs * 2 || FIRST_REST_MS, LONGEST_REST_MS);
      this.#restsUntilMs = nowMs + this.#restMs;
    } else if (isOutage && reason === 'busy' && job.kind === 'write') {
      this.#lockRestsUntilMs = nowMs + FIRST_REST_MS;
    }
  }
}
