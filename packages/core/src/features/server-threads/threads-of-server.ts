import { availableParallelism } from 'node:os';
import { SsrError } from '../../errors.ts';
import { channelOf } from '../../telemetry/channels.ts';
import type { ServerThreadsParts, ThreadedStart } from '../../threads/server-threads.ts';
import { toUnavailable, USE_CLUSTER, whyUnavailable } from './availability.ts';
import { listenInThreads } from './listen-in-threads.ts';
import { ServerThreads, type ThreadsToStart } from './server-threads.ts';

/** The server threads of a handler, on the main thread. */
export class ThreadsOfServer {
  readonly #parts: ServerThreadsParts;
  readonly #threads: number | 'auto';
  #started: ServerThreads | undefined;

  constructor(parts: ServerThreadsParts, threads: number | 'auto') {
    this.#parts = parts;
    this.#threads = threads;
  }

  listen(start: ThreadedStart): Promise<() => Promise<void>> | undefined {
    const count = this.#count(whyUnavailable(start));
    const channel = channelOf('ng-ssr:server');
    if (channel.hasSubscribers) channel.publish({ event: 'threads', threads: count });
    if (count === 1) return undefined;
    return listenInThreads(start, count, (options) => this.#start(options));
  }

  refuse(): void {
    this.#count(`only listen() of a server starts threads${USE_CLUSTER}`);
  }

  /** @throws SsrError `NG_SSR_CLOSE_FAILED` of a thread, already reported. */
  async close(): Promise<void> {
    await this.#started?.close();
  }

  /** @param unavailable - Why there can be only one. */
  #count(unavailable: string | undefined): number {
    const auto = Math.max(1, availableParallelism() - this.#parts.renderThreads);
    const count = this.#threads === 'auto' ? auto : this.#threads;
    if (count === 1 || unavailable === undefined) return count;
    if (this.#threads !== 'auto') throw toUnavailable(unavailable);
    this.#parts.onError(toUnavailable(unavailable));
    return 1;
  }

  #start(options: ThreadsToStart): ServerThreads {
    if (this.#started !== undefined) {
      const message =
        'listen() was already called: with withServerThreads(), call it once for each server';
      throw new SsrError('NG_SSR_THREADS_UNAVAILABLE', message);
    }
    const { lifecycle, reports } = this.#parts;
    const threads = new ServerThreads(this.#parts, options);
    reports.unshift(() => threads.report());
    lifecycle.watch((state) => threads.setState(state));
    return (this.#started = threads);
  }
}
