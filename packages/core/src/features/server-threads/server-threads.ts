import { setTimeout as delay } from 'node:timers/promises';
import { PROCESS_SECRET } from '../../process-secret.ts';
import { SsrError } from '../../errors.ts';
import type { IndexedFiles } from '../../files/indexed-files.ts';
import type { CopiedPages } from '../../pages/pages.ts';
import type { ReadyState } from '../../probes/probes.ts';
import type { ServerThreadData } from '../../server-thread.ts';
import { countSources } from '../../telemetry/thread-metrics.ts';
import { assertUnchanged, type Entry } from '../../threads/entry.ts';
import type { ServerThreadsParts } from '../../threads/server-threads.ts';
import type { ServerThreadReport } from '../../threads/thread-report.ts';
import { collectGarbage } from './collect-garbage.ts';
import { CopyFeed } from './copy-feed.ts';
import type { ThreadStart } from './messages.ts';
import { toWireEntry } from './wire-page.ts';
import { findProgram } from './program.ts';
import { type MainServices, type ThreadEnd, ThreadLink } from './thread-link.ts';

/** Where server threads listen, and how many there are beside the main thread. */
export interface ThreadsToStart {
  readonly count: number;
  readonly port: number;
  readonly host: string | undefined;
  /** Called when a program calls `close` in a thread. */
  readonly close: () => void;
}

/** How long a thread may take to listen. */
const START_TIMEOUT_SECONDS = 60;
/** How long a successor of a lost thread waits: doubled each time, until a thread has run for a minute. */
const FIRST_HOLD_MS = 500;
const LAST_HOLD_MS = 60_000;
const STABLE_MS = 60_000;
/** How long a thread may take to say how many requests it has cut off. */
const CUT_MS = 200;
/** How long a thread without requests may take to say so. */
const CLOSE_MS = 1000;
/** How long a thread may take to count its requests for a scrape. */
const COUNT_MS = 1000;

/** The server threads of one server: starts and replaces them, and keeps their copies up to date. */
export class ServerThreads {
  readonly #parts: ServerThreadsParts;
  readonly #options: ThreadsToStart;
  readonly #entry: Entry;
  readonly #links = new Set<ThreadLink>();
  readonly #feed: CopyFeed;
  readonly #copied: CopiedPages | undefined;
  readonly #services: Omit<MainServices, 'purge' | 'refresh' | 'invalidate'>;
  /** Aborts the wait for a lost thread's successor. */
  readonly #closing = new AbortController();
  readonly #gather = (): Promise<void> => this.#count();
  #isEnding = false;
  #hasEnd = false;
  #failure: SsrError | undefined;

  /** @throws SsrError `NG_SSR_THREAD_NOT_STARTED` when there is no program for threads. */
  constructor(parts: ServerThreadsParts, options: ThreadsToStart) {
    this.#parts = parts;
    this.#options = options;
    this.#entry = findProgram();
    this.#feed = new CopyFeed(this.#links, options.count);
    this.#copied = parts.pages.share?.(this.#feed);
    this.#indexFiles();
    const { render, judgeHost, countAnswered } = parts;
    this.#services = {
      ...{ render, judgeHost, countAnswered },
      ready: () => parts.lifecycle.ready(),
      close: options.close,
      closeFailed: (error) => (this.#failure ??= error),
      countHits: (key, hits) => this.#copied?.countHits(key, hits),
    };
    countSources.add(this.#gather);
  }

  /**
   * Starts all threads.
   *
   * @returns resolves when all listen.
   * @throws SsrError `NG_SSR_THREAD_NOT_STARTED`, and what the `listen` of a thread has thrown.
   */
  async start(): Promise<void> {
    const { count } = this.#options;
    await Promise.all(Array.from({ length: count }, (_, at) => this.#startFirst(at + 1)));
    collectGarbage();
  }

  /** The threads that have not ended. */
  report(): readonly ServerThreadReport[] {
    return [...this.#links].map(({ threadId, isListening, requests }) => {
      const state = this.#hasEnd ? 'ending' : isListening ? 'ready' : 'starting';
      return { threadId, kind: 'server', state, done: requests };
    });
  }

  /** Tells all threads whether the process should get requests. */
  setState(state: ReadyState): void {
    this.#feed.post({ kind: 'state', state });
  }

  /** Has all answers of the threads close their connections. Lost threads have no successors any more. */
  announceClose(): void {
    this.#isEnding = true;
    this.#closing.abort();
    this.#feed.post({ kind: 'announce-close' });
  }

  /** Has the threads take no more connections, and end once they have answered. */
  end(): void {
    if (this.#hasEnd) return;
    this.#hasEnd = true;
    for (const link of this.#links) {
      if (link.isListening) link.post({ kind: 'end' });
      else void link.terminate();
    }
  }

  /** Resolves when all threads have answered their last request, or are lost. */
  async whenDrained(): Promise<void> {
    await Promise.all([...this.#links].map(({ drained }) => drained));
  }

  /** Destroys the connections of all threads, and counts the requests that were in flight. */
  async cut(): Promise<number> {
    const cuts = [...this.#links].map((link) => Promise.race([link.cut(), within(CUT_MS)]));
    const counts = await Promise.all(cuts);
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  }

  /**
   * Waits until the threads have closed their handlers. Those that still have requests are ended.
   *
   * @throws SsrError `NG_SSR_CLOSE_FAILED` of a thread, which has reported it.
   */
  async close(): Promise<void> {
    if (!this.#isEnding) this.announceClose();
    countSources.delete(this.#gather);
    this.end();
    await Promise.all([...this.#links].map((link) => this.#closeThread(link)));
    if (this.#failure !== undefined) throw this.#failure;
  }

  #indexFiles(): IndexedFiles {
    return this.#parts.built.share((added) => this.#feed.post({ kind: 'encoded', added }));
  }

  /** @param counter - Of the thread's purges, and of those that replace it. */
  async #startFirst(counter: number): Promise<void> {
    const link = this.#startThread(counter);
    await link.listening;
    void this.#replaceWhenLost(link, counter);
  }

  /** Everything that happens after its snapshot was taken reaches the thread as a message. */
  #startThread(counter: number): ThreadLink {
    const { handler, lifecycle } = this.#parts;
    const { port, host } = this.#options;
    const entries = this.#copied?.entries() ?? [];
    const start: ThreadStart = {
      files: this.#indexFiles(),
      pages: entries.map(([key, entry]) => [key, toWireEntry(entry)]),
      state: lifecycle.probeState(),
      counter,
      told: this.#feed.told.slice(),
    };
    const data: Omit<ServerThreadData, 'port'> = {
      handler,
      asked: this.#feed.asked,
      listen: { port, host },
      nonceSecret: PROCESS_SECRET,
      start,
    };
    const link = new ThreadLink(this.#entry, data, this.#servicesOf(counter));
    this.#links.add(link);
    void link.ended.then(() => {
      this.#links.delete(link);
      this.#feed.settle(counter);
    });
    this.#limitStart(link);
    return link;
  }

  #servicesOf(counter: number): MainServices {
    const { pages } = this.#parts;
    return {
      ...this.#services,
      purge: (purge) => {
        const purged = pages.purge(purge);
        this.#feed.tell(counter);
        return purged;
      },
      refresh: (refresh) => pages.refresh(refresh),
      invalidate: (target, isCounted) => {
        pages.invalidate(target);
        if (isCounted) this.#feed.tell(counter);
      },
    };
  }

  #limitStart(link: ThreadLink): void {
    const timer = setTimeout(
      () => link.abandon(START_TIMEOUT_SECONDS),
      START_TIMEOUT_SECONDS * 1000,
    ).unref();
    const stop = (): void => clearTimeout(timer);
    link.listening.then(stop, stop);
  }

  async #replaceWhenLost(first: ThreadLink, counter: number): Promise<void> {
    let link: ThreadLink | undefined = first;
    for (let holdMs = FIRST_HOLD_MS; ; holdMs = Math.min(holdMs * 2, LAST_HOLD_MS)) {
      if (link !== undefined) {
        const sinceMs = performance.now();
        const end = await link.ended;
        if (this.#isEnding) return;
        if (performance.now() - sinceMs >= STABLE_MS) holdMs = FIRST_HOLD_MS;
        this.#parts.onError(lost(end, holdMs));
      }
      try {
        await delay(holdMs, undefined, { ref: false, signal: this.#closing.signal });
      } catch {
        return;
      }
      link = await this.#startAgain(counter);
    }
  }

  async #startAgain(counter: number): Promise<ThreadLink | undefined> {
    let link: ThreadLink | undefined;
    try {
      assertUnchanged(this.#entry);
      link = this.#startThread(counter);
      await link.listening;
      return link;
    } catch (cause) {
      // Two threads would share the counter.
      await link?.terminate();
      await link?.ended;
      if (this.#isEnding) return undefined;
      const message = 'a lost server thread could not be replaced; the server tries again';
      this.#parts.onError(new SsrError('NG_SSR_THREAD_NOT_STARTED', message, { cause }));
      return undefined;
    }
  }

  async #closeThread(link: ThreadLink): Promise<void> {
    const isDrained = await Promise.race([link.drained.then(() => true), within(CLOSE_MS)]);
    if (isDrained !== true) await link.terminate();
    await link.ended;
  }

  async #count(): Promise<void> {
    const counted = Promise.all([...this.#links].map((link) => link.count()));
    await Promise.race([counted, within(COUNT_MS)]);
  }
}

function lost({ reason, cause }: ThreadEnd, holdMs: number): SsrError {
  const message = `a server thread exited: ${reason}; a new one starts in ${holdMs} ms`;
  return new SsrError('NG_SSR_THREAD_LOST', message, { cause });
}

function within(ms: number): Promise<undefined> {
  return delay(ms, undefined, { ref: false });
}
