import type { Server } from 'node:net';
import type { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { BuiltIndex } from '../files/built-index.ts';
import type { IndexedFiles } from '../files/indexed-files.ts';
import type { HostVerdict } from '../host/host-check.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { DownstreamCache } from '../pages/downstream-cache.ts';
import type { ResolvedCacheOptions } from '../pages/options/resolve-cache-options.ts';
import type { Pages } from '../pages/pages.ts';
import type { RouteRules } from '../pages/policy/route-rules.ts';
import type { PageTraits } from '../pages/traits/page-traits.ts';
import type { ReadyState } from '../probes/probes.ts';
import type { ServerThreadData } from '../server-thread.ts';
import type { Drainable } from '../shutdown/graceful-shutdown.ts';
import type { ShutdownOptions } from '../shutdown/shutdown-options.ts';
import type { CacheResult, SlotEvent } from '../telemetry/channels.ts';
import type { ThreadReport } from './thread-report.ts';

/** Threads that answer requests beside the main thread, as a feature adds them to a server. */
export interface ServerThreads {
  /** On the main thread, once. No thread starts before {@link HandlerThreads.listen}. */
  open(parts: ServerThreadsParts): HandlerThreads;
  /** Makes this a server thread. */
  join(thread: ServerThreadData): MainThread;
}

/** The server threads of a handler, for authors of adapters on Node. */
export interface HandlerThreads {
  /** In a server thread: where its server listens. Undefined on the main thread. */
  readonly address?: Pick<ThreadedStart, 'port' | 'host'>;
  /**
   * Lets a server listen in several threads of this process: starts the others on the main thread, and is what
   * `listen` does in each of them.
   *
   * @returns resolves with the function that shuts the server down, when all threads listen. Undefined if it is to
   * listen in this thread alone.
   * @throws SsrError `NG_SSR_THREADS_UNAVAILABLE`, `NG_SSR_THREAD_NOT_STARTED`; and what node:net throws.
   */
  listen(start: ThreadedStart): Promise<() => Promise<void>> | undefined;
  /**
   * To be called by adapters without `listen`, such as a middleware. `'auto'` is one thread then, with a notice.
   *
   * @throws SsrError `NG_SSR_THREADS_UNAVAILABLE`
   */
  refuse(): void;
  /** For the handler: closes the other threads. */
  close?(): Promise<void>;
}

/** A server that is to listen. */
export interface ThreadedStart {
  readonly server: Server;
  /** What is drained and closed: the handler, or what closes it. */
  readonly target: Drainable;
  readonly port: number;
  readonly host: string | undefined;
  readonly shutdown: ShutdownOptions | false | undefined;
  /** Whether the server is that of the option `server`. */
  readonly isOwn: boolean;
  /** A socket that already listens. */
  readonly fd: number | undefined;
  /** Lets the server listen with `reusePort`; rejects with what node:net throws. */
  readonly bind: (address: Pick<ThreadedStart, 'port' | 'host'>) => Promise<unknown>;
}

/** The parts of the main thread's handler that server threads use. */
export interface ServerThreadsParts {
  /** Which of the program's handlers it is, from 0 in order of creation. */
  readonly handler: number;
  readonly built: BuiltIndex;
  readonly pages: Pages;
  readonly lifecycle: Pick<ServerLifecycle, 'probeState' | 'ready' | 'watch'>;
  /** Threads that render from the start on. */
  readonly renderThreads: number;
  /** What shows the threads of this process. */
  readonly reports: (() => readonly ThreadReport[])[];
  readonly render: (exchange: Exchange, requestContext: unknown) => Promise<Answer | undefined>;
  /** The verdict of the option `allowedHosts`, which is a function. */
  readonly judgeHost: (host: string) => Promise<HostVerdict>;
  /** Called with what a thread has answered, while the inspector is on. */
  readonly countAnswered: (answered: AnsweredRequests) => void;
  readonly onError: (error: SsrError) => void;
}

/** The main thread, as a server thread sees it: it renders and stores. */
export interface MainThread {
  readonly threads: HandlerThreads;
  /** Of the build, in memory that all threads share. */
  readonly files: IndexedFiles;
  /** The pages of this thread. From now on the main thread's changes of pages and files are applied. */
  toPages(built: BuiltIndex, parts: PageCopiesParts): Pages;
  /** @param start - Starts what each thread has of its own, which `close` closes. */
  toLifecycle(start: () => void, close: () => Promise<void>): ServerLifecycle;
  /** Asks for the answer to a request whose content counts. */
  renderWithContent(
    exchange: Exchange,
    content: Uint8Array | undefined,
  ): Promise<Answer | undefined>;
  /** @throws SsrError `NG_SSR_HOST_UNDECIDED` */
  judgeHost(host: string): Promise<HostVerdict>;
  countAnswered(answered: AnsweredRequests): void;
}

/** Requests that a thread has answered since the last time, and how slots were filled: for the inspector. */
export interface AnsweredRequests {
  readonly counts: Readonly<Record<CacheResult | 'file', number>>;
  readonly slots: ReadonlyMap<string, Readonly<Record<SlotEvent['result'], number>>>;
}

/** What the pages of a server thread depend on. */
export interface PageCopiesParts {
  readonly isTrusted: ProxyHeaderPredicate;
  readonly rules: RouteRules;
  readonly traits: PageTraits;
  /** Whether the main thread asks a store that processes share. */
  readonly hasTier: boolean;
  /** The main thread's, which it purges. */
  readonly downstream: DownstreamCache | undefined;
  /** Of the main thread's memory. */
  readonly cache: ResolvedCacheOptions | false;
}

/** Starts and closes a handler. */
export interface ServerLifecycle {
  readonly isDraining: boolean;
  /** A probe starts the server, as a request would: a load balancer sends none until it is ready. */
  probeState(): ReadyState;
  /** Calls back with each later state. */
  watch(onState: (state: ReadyState) => void): void;
  ready(): Promise<void>;
  /** Keeps it from starting: {@link ready} resolves at once. */
  hold(): void;
  drain(): void;
  close(): Promise<void>;
}
