import type { Answer } from '../exchange.ts';
import type { ChainLink } from '../render/call-chain.ts';
import type { Waiter } from '../render/demand.ts';
import type { RenderJob } from '../render/render-job.ts';
import type { Fallback } from '../render/fallbacks.ts';
import type { PageTarget } from './key/page-target.ts';
import type { StoredPages } from './stored-pages.ts';
import type { MemoryObserver } from './memory/memory-store.ts';
import type { CachedPage } from './memory/cached-page.ts';
import type { InPlaceOfRender, Use } from './policy/use-of.ts';
import type { PurgeObserver } from './purges.ts';
import type { Variants } from './stored-page.ts';
import type { Tier } from './tier.ts';
import type { Hit, ParsedRequest } from './parsed-request.ts';

/** A request for a page, with all that its answer depends on. */
export interface PageRequest {
  /** Of a GET. */
  readonly parsed: ParsedRequest;
  readonly page: PageTarget;
  /** Method and target, for messages. */
  readonly name: string;
  /** The status that earlier middleware has chosen; 200 when none did. */
  readonly earlierStatus: number;
  /** As the function of this name says. */
  readonly asksNotToStore: boolean;
  readonly requestContext: unknown;
  readonly waiter: Waiter;
  readonly fallbacks: readonly Fallback[];
  /** Whether the request is the server's own: those of clients come first. */
  readonly isBackground: boolean;
  /** The pages and calls in process that wait for the page; undefined for a client's request. */
  readonly chain: readonly ChainLink[] | undefined;
  /** Called once, when no stored page is the answer: the request waits for a render, its own or another's. */
  readonly onMiss: (() => void) | undefined;
  /** As {@link RenderJob.onCalls}, of a render that this request leads. */
  readonly onCalls: RenderJob['onCalls'];
}

/** The rendered pages of a server, stored or not. */
export interface Pages extends StoredPages {
  /**
   * The stored page for a request, if it can be sent without starting a render. Synchronous. It is not counted before
   * it is sent: see {@link ParsedRequest.hit}.
   */
  find(parsed: ParsedRequest): Answer | undefined;
  /** Counts a stored page that is sent. Without it nothing is stored. */
  countHit?(hit: Hit): void;
  /**
   * Answers with a stored page, or renders.
   *
   * @returns undefined if the engine returns null: the path is not the application's.
   * @throws SsrError as a Scheduler does.
   */
  answer(request: PageRequest): Promise<Answer | undefined>;
  /** A stale page that may be used if its render fails or is too late (RFC 5861 section 4). */
  findStale(parsed: ParsedRequest): Answer | undefined;
  /** Whether other processes find the page of a request. Without it nothing is stored. */
  isShared?(parsed: ParsedRequest): Promise<boolean>;
  /** What memory has for a request. Counts as no use, and starts nothing. Without it nothing is stored. */
  look?(parsed: ParsedRequest, fallbacks: readonly Fallback[]): Look;
  /** As the function of this name. Without it nothing is stored. */
  publicPaths?(origin: string): Iterable<string>;
  /** The stored pages with their keys, the most recently used first. Without it nothing is stored. */
  held?(): Iterable<readonly [key: string, held: CachedPage]>;
  /** Removes the pages of a target's path. Never throws. */
  invalidate(target: string): void;
  /** Moves stored pages into shared memory, for copies in other threads. Without it nothing is stored. */
  share?(observer: MemoryObserver): CopiedPages;
  /**
   * Has purges reach something else too.
   *
   * @returns what is asked after the memory, if there is something.
   */
  observePurges?(observer: PurgeObserver): Tier | undefined;
  close(): Promise<void>;
}

/** What memory has for a request, and what follows from it. */
export interface Look {
  readonly key: string;
  readonly held: CachedPage | undefined;
  readonly use: Use;
  /** Whether the page varies by request headers. */
  readonly isVariant: boolean;
  /** Whether {@link Pages.find} answers. */
  readonly isAtOnce: boolean;
  /** How {@link Pages.answer} answers; undefined if the request waits for a render. */
  readonly inPlaceOfRender: InPlaceOfRender | undefined;
  /** Whether a render of the page runs, which the request would wait for. */
  readonly isInFlight: boolean;
  /** Whether the last render could not be shared, so that each request renders its own page for a while. */
  readonly isUnshared: boolean;
  /** Whether a {@link Tier} is asked before a render. */
  readonly hasTier: boolean;
}

/** Stored pages of which other threads have copies. */
export interface CopiedPages {
  /** The least recently used first. */
  entries(): (readonly [key: string, entry: CachedPage | Variants])[];
  /** Counts hits of a copy. */
  countHits(key: string, hits: number): void;
}
