import { availableParallelism } from 'node:os';
import { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { serverThread } from '../server-thread.ts';
import { threadsUnavailable } from '../threads/availability.ts';
import { threadCount } from '../options/thread-count.ts';
import { ServerThreads, type ServerThreadsOptions } from '../threads/server-threads.ts';
import { OwnServer, type ThreadServer } from '../threads/thread-server.ts';
import type { Parts } from './compose-on-node.ts';
import { publishThreads } from './describe-server.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ThreadLifecycle } from './thread-lifecycle.ts';

/** Server threads as `shutDownOnSignals` ends them. */
export interface StartingThreads {
  /**
   * Starts all threads; resolves when they listen.
   *
   * @throws SsrError `NG_SSR_THREAD_NOT_STARTED`, and what the `listen` of a thread has thrown.
   */
  start(): Promise<void>;
  announceClose(): void;
  end(): void;
  whenDrained(): Promise<void>;
  cut(): Promise<number>;
}

/** The server threads of a handler (`listen({ threads })`), for authors of adapters on Node. */
export interface HandlerThreads {
  /** In a server thread: where its server listens, and how it ends. Undefined on the main thread. */
  readonly own: ThreadServer | undefined;
  /**
   * The option `threads` as a number. `'auto'` is a thread for each core that no render thread keeps, and one with
   * a notice where there can be no more.
   *
   * @param hasOwnServer - Whether the option `server` is set.
   * @param hasSocket - Whether the server takes a socket that already listens. Default: false.
   * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_THREADS_UNAVAILABLE`
   */
  resolve(threads: number | 'auto' | undefined, hasOwnServer: boolean, hasSocket?: boolean): number;
  /**
   * The server threads of a main thread that listens. Once for a handler.
   *
   * @throws SsrError `NG_SSR_THREADS_UNAVAILABLE`, `NG_SSR_THREAD_NOT_STARTED`
   */
  start(options: ServerThreadsOptions): StartingThreads;
}

/** Both sides: the start of threads on the main thread, and a thread's own. */
export class ThreadsOfHandler implements HandlerThreads {
  readonly own: ThreadServer | undefined;
  readonly #parts: Parts;
  readonly #lifecycle: Lifecycle | ThreadLifecycle;
  readonly #render: (exchange: Exchange, context: unknown) => Promise<Answer | undefined>;
  #started: ServerThreads | undefined;

  constructor(
    parts: Parts,
    lifecycle: Lifecycle | ThreadLifecycle,
    render: (exchange: Exchange, context: unknown) => Promise<Answer | undefined>,
  ) {
    this.#parts = parts;
    this.#lifecycle = lifecycle;
    this.#render = render;
    this.own = serverThread && new OwnServer(serverThread.listen, parts.core.main);
  }

  resolve(
    threads: number | 'auto' | undefined = 1,
    hasOwnServer: boolean,
    hasSocket = false,
  ): number {
    threadCount(1)('listen.threads', threads);
    const { options, runtime } = this.#parts;
    const kept = runtime.renderThreads?.threads.min ?? 0;
    const auto = Math.max(1, availableParallelism() - kept);
    const count = threads === 'auto' ? auto : threads;
    const unavailable = count > 1 ? threadsUnavailable(hasOwnServer, hasSocket) : undefined;
    if (unavailable === undefined) {
      publishThreads(count);
      return count;
    }
    if (threads !== 'auto') throw unavailable;
    options.onError(unavailable);
    return 1;
  }

  start(options: ServerThreadsOptions): ServerThreads {
    if (this.#started !== undefined) {
      const message = 'listen({ threads }) was already called: call it once for each server';
      throw new SsrError('NG_SSR_THREADS_UNAVAILABLE', message);
    }
    const { core, handler, runtime, server } = this.#parts;
    const { asked, index } = runtime;
    const lifecycle = this.#lifecycle;
    const threads = new ServerThreads(
      {
        handler,
        built: index,
        pages: server.pages,
        onError: core.onError,
        render: this.#render,
        judgeHost: async (host) => asked!.judge(host),
        ready: () => lifecycle.ready(),
        state: () => lifecycle.probeState(),
        countAnswered: (message) => {
          for (const each of server.extensions.values()) each.countAnswered?.(message);
        },
      },
      options,
    );
    runtime.threads.unshift(() => threads.report());
    lifecycle.watch((state) => threads.setState(state));
    return (this.#started = threads);
  }

  /**
   * Closes the handler, and those of its threads.
   *
   * @throws SsrError `NG_SSR_CLOSE_FAILED`, already reported.
   */
  async closeWith(close: () => Promise<void>): Promise<void> {
    const ends = await Promise.allSettled([close(), this.#started?.close()]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}
