import { platform } from '#platform';
import { SsrError } from '../errors.ts';
import type { CallsMade } from './calls-made.ts';
import { INDEPENDENT, type Provenance } from './provenance.ts';

/** A page or a call in process that waits for the next one of its chain. */
export interface ChainLink {
  /** Equal for requests that would wait for each other. */
  readonly key: string;
  /** Method and target, for messages. */
  readonly shown: string;
}

/** The pages and calls that wait for the routes that run: from a client's page to the latest call. */
export interface CallChain {
  readonly links: readonly ChainLink[];
  /** Set when these routes have asked for a page that waits for them. */
  loop: SsrError | undefined;
  /** Of the pages that these routes have answered with: their response depends on the same. */
  readonly pages: Provenance[];
}

const chains = platform.createContext<CallChain>();

/** Runs routes for a call that a page has made: the pages that they ask for are part of its chain. */
export function runInChain<T>(chain: CallChain, run: () => T): T {
  return chains.run(chain, run);
}

/** The chain of the code that runs; undefined outside of routes that a page has called in process. */
export function currentChain(): CallChain | undefined {
  return chains.getStore();
}

/**
 * Notes for a call in process that a page answers it, which depends on nothing but its tags.
 *
 * @param freshUntilMs - By `performance.now()`: a purge may have made a stored page stale before its time.
 */
export function notePage(tags: readonly string[], freshUntilMs: number): void {
  currentChain()?.pages.push({ ...INDEPENDENT, tags, freshUntilMs });
}

/**
 * The same of a page that was not stored, whatever lifetime its headers state. Whether it is for one client alone, its
 * headers say.
 *
 * @param calls - Those of its render.
 * @param ruled - The tags of its rule.
 */
export function noteUnstored(calls: CallsMade | undefined, ruled: readonly string[] = []): void {
  notePage([...ruled, ...(calls?.provenance?.tags ?? [])], 0);
}

/** The link of a page. */
export function pageLink(origin: string, name: string): ChainLink {
  return { key: `page ${origin} ${name}`, shown: name };
}

/** The error of a chain whose next link waits for itself. */
export function loopError(links: readonly ChainLink[], next: ChainLink): SsrError {
  const targets = [...links, next].map(({ shown }) => shown).join(' -> ');
  return new SsrError('NG_SSR_CALL_LOOP', `pages and calls wait for each other: ${targets}`);
}

/** Whether a link is part of a chain already. */
export function isLinked(links: readonly ChainLink[], { key }: ChainLink): boolean {
  return links.some((link) => link.key === key);
}

/**
 * Notes that routes ask for a page which waits for them.
 *
 * @returns undefined if it does not.
 */
export function noteLoop(chain: CallChain, page: ChainLink): SsrError | undefined {
  if (!isLinked(chain.links, page)) return undefined;
  return (chain.loop = loopError(chain.links, page));
}
