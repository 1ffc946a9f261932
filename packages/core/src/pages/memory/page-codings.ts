import type { Exchange } from '../../exchange.ts';
import {
  chooseCoding,
  type ContentCoding,
  readAcceptEncoding,
} from '../../http/accept-encoding.ts';
import { negotiate } from '../../answers/select.ts';
import { LEAST_CODED_BYTES } from '../../answers/content-head.ts';
import type { Waiter } from '../../render/demand.ts';
import type { Coder, CodingWithDictionary } from '../../answers/coder.ts';
import type { CachedPage } from './cached-page.ts';
import type { MemoryStore } from './memory-store.ts';

/** The hit from which all codings are made: a page with fewer is not worth them. */
const FIRST_HITS = 2;

/**
 * Makes the codings of stored pages, off the main thread: one for a client that waits for the page
 * anyway, and the others, one after another, when the page is requested again.
 */
export class PageCodings {
  readonly #memory: MemoryStore;
  readonly #coder: Coder;
  readonly #codings: readonly ContentCoding[];
  readonly #encodings: readonly ContentCoding[];
  readonly #waiting = new Map<CachedPage, string>();
  #isAtWork = false;

  /**
   * @param codings - The codings of stored pages.
   * @param encodings - The codings made for clients that wait; of equal weight the first is made.
   */
  constructor(
    memory: MemoryStore,
    coder: Coder,
    codings: readonly ContentCoding[],
    encodings: readonly ContentCoding[],
  ) {
    this.#memory = memory;
    this.#coder = coder;
    this.#codings = codings;
    this.#encodings = encodings.filter((coding) => codings.includes(coding));
  }

  /** Makes a coding that the client accepts, if the page has none and there is time. */
  async makeFor(exchange: Exchange, key: string, held: CachedPage, waiter: Waiter): Promise<void> {
    if (!held.isCoded) return;
    const wanted = held.marks.wanted?.(exchange, held);
    if (wanted !== undefined && (await this.#makeWith(key, held, wanted, waiter))) return;
    const coding = this.lackingFor(exchange, held);
    if (coding !== undefined) await this.#make(key, held, coding, waiter);
  }

  /** The coding that would be made for a client that waits; undefined if the page has one for it, or gets none. */
  lackingFor(exchange: Exchange, held: CachedPage): ContentCoding | undefined {
    if (!held.isCoded || held.isCodingDone) return undefined;
    if (held.page.body.byteLength < LEAST_CODED_BYTES) return undefined;
    const accepted = readAcceptEncoding(exchange.header('accept-encoding'));
    const coding = chooseCoding(accepted, this.#encodings);
    if (coding === undefined || coding === 'identity') return undefined;
    return negotiate(held, accepted)?.coding === 'identity' ? coding : undefined;
  }

  /** The coding that a trait wants starts with the first hit: against a dictionary there are as many as versions. */
  makeWanted(exchange: Exchange, key: string, held: CachedPage): void {
    const wanted = held.marks.wanted?.(exchange, held);
    if (wanted !== undefined) void this.#makeWith(key, held, wanted);
  }

  /** Counts hits; the second one starts the page's codings. */
  count(key: string, held: CachedPage, hits = 1): void {
    const earlier = held.hits;
    held.hits += hits;
    if (earlier >= FIRST_HITS || held.hits < FIRST_HITS || !held.isCoded) return;
    // No client gets the bytes that are held.
    if (held.fill !== undefined) return;
    this.#waiting.set(held, key);
    if (!this.#isAtWork) void this.#work();
  }

  stop(): void {
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    for (const [held, key] of this.#waiting) {
      this.#waiting.delete(held);
      for (const coding of this.#codings) {
        if (!this.#memory.holds(key, held)) break;
        if (held.coded[coding] === undefined) await this.#make(key, held, coding);
      }
      held.isCodingDone = this.#memory.holds(key, held);
    }
    this.#isAtWork = false;
  }

  /** @returns whether the coding is made, and worth it. */
  async #makeWith(
    key: string,
    held: CachedPage,
    wanted: CodingWithDictionary,
    waiter?: Waiter,
  ): Promise<boolean> {
    const { coding, dictionary } = wanted;
    const { body, path } = held.page;
    if (body.byteLength < LEAST_CODED_BYTES) return false;
    held.addWith(dictionary, coding, 'is being made');
    const coded = await this.#coder.code(body, wanted, path, waiter);
    const isHeld = this.#memory.holds(key, held);
    if (coded === undefined || !this.#memory.fits(key, held.bytes + coded.byteLength)) {
      // Without a waiter it has failed, and would again.
      if (waiter !== undefined) held.addWith(dictionary, coding, 'failed');
      return false;
    }
    held.addWith(dictionary, coding, coded);
    if (isHeld) this.#memory.set(key, held);
    return Boolean(held.withDictionary?.get(dictionary)?.[coding]);
  }

  async #make(
    key: string,
    held: CachedPage,
    coding: ContentCoding,
    waiter?: Waiter,
  ): Promise<void> {
    const { body, path } = held.page;
    const coded = await this.#coder.code(body, coding, path, waiter);
    // Another request may have added the same coding meanwhile.
    if (coded === undefined || held.coded[coding] !== undefined) return;
    if (!this.#memory.fits(key, held.bytes + coded.byteLength)) return;
    const isHeld = this.#memory.holds(key, held);
    held.add(coding, isHeld ? this.#memory.hold(coded) : coded);
    if (isHeld) this.#memory.set(key, held);
  }
}
