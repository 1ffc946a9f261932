import type { Exchange } from '../../exchange.ts';
import {
  chooseEncoding,
  type ContentEncoding,
  readAcceptEncoding,
} from '../../http/accept-encoding.ts';
import { exchangeFor, negotiate } from '../../answers/select.ts';
import { LEAST_ENCODED_BYTES } from '../../answers/content-head.ts';
import type { Waiter } from '../../render/demand.ts';
import type { Encoder, EncodingWithDictionary } from '../../answers/encoder.ts';
import type { CachedPage } from './cached-page.ts';
import type { MemoryStore } from './memory-store.ts';

/** The hit from which all encodings are made: a page with fewer is not worth them. */
const FIRST_HITS = 2;

/**
 * Makes the encodings of stored pages, off the main thread: one for a client that waits for the page
 * anyway, and the others, one after another, when the page is requested again.
 */
export class PageEncodings {
  readonly #memory: MemoryStore;
  readonly #encoder: Encoder;
  readonly #encodings: readonly ContentEncoding[];
  readonly #ofWaiting: readonly ContentEncoding[];
  readonly #waiting = new Map<CachedPage, string>();
  #isAtWork = false;

  /**
   * @param encodings - The encodings of stored pages.
   * @param ofWaiting - The encodings made for clients that wait; of equal weight the first is made.
   */
  constructor(
    memory: MemoryStore,
    encoder: Encoder,
    encodings: readonly ContentEncoding[],
    ofWaiting: readonly ContentEncoding[],
  ) {
    this.#memory = memory;
    this.#encoder = encoder;
    this.#encodings = encodings;
    this.#ofWaiting = ofWaiting.filter((encoding) => encodings.includes(encoding));
  }

  /** Whether encodings are made of stored pages. */
  get isEncoded(): boolean {
    return this.#encodings.length > 0;
  }

  /** The form that shared stores keep. @returns undefined if the page gets none. */
  async brotliOf(key: string, held: CachedPage): Promise<Uint8Array | undefined> {
    if (!this.#hasBrotli(held)) return undefined;
    if (held.encoded.br === undefined) await this.#make(key, held, 'br');
    held.isEncodedOnDemand = held.encoded.br !== undefined;
    return held.encoded.br?.body;
  }

  /** Takes the form that a shared store has. */
  take(key: string, held: CachedPage, brotli: Uint8Array): void {
    if (!this.#hasBrotli(held) || held.encoded.br !== undefined) return;
    if (!this.#memory.fits(key, held.bytes + brotli.byteLength)) return;
    held.add('br', this.#memory.hold(brotli));
    held.isEncodedOnDemand = true;
  }

  /** Makes an encoding that the client accepts, if the page has none and there is time. */
  async makeFor(asked: Exchange, key: string, held: CachedPage, waiter: Waiter): Promise<void> {
    if (!held.isEncoded) return;
    const exchange = exchangeFor(held.page, asked);
    const wanted = held.marks.wanted?.(exchange, held);
    if (wanted !== undefined && (await this.#makeWith(key, held, wanted, waiter))) return;
    const encoding = this.lackingFor(exchange, held);
    if (encoding !== undefined) await this.#make(key, held, encoding, waiter);
  }

  /** The encoding that would be made for a client that waits; undefined if the page has one for it, or gets none. */
  lackingFor(exchange: Exchange, held: CachedPage): ContentEncoding | undefined {
    if (!held.isEncoded || held.isEncodingDone) return undefined;
    if (held.page.body.byteLength < LEAST_ENCODED_BYTES) return undefined;
    const accepted = readAcceptEncoding(exchangeFor(held.page, exchange).header('accept-encoding'));
    const encoding = chooseEncoding(accepted, this.#ofWaiting);
    if (encoding === undefined || encoding === 'identity') return undefined;
    return negotiate(held, accepted)?.encoding === 'identity' ? encoding : undefined;
  }

  /** The encoding that a trait wants starts with the first hit: against a dictionary there are as many as versions. */
  makeWanted(exchange: Exchange, key: string, held: CachedPage): void {
    const wanted = held.marks.wanted?.(exchange, held);
    if (wanted !== undefined) void this.#makeWith(key, held, wanted);
  }

  /**
   * Counts hits; the second one starts the page's encodings.
   *
   * @param isLacking - Whether one of its clients may have lacked an encoding.
   */
  count(key: string, held: CachedPage, hits = 1, isLacking: boolean = held.isLacking): void {
    held.hits += hits;
    if (held.hits < FIRST_HITS || held.isEncodingBegun || held.isEncodingDone) return;
    if (!held.isEncoded || (held.isEncodedOnDemand && !isLacking)) return;
    // No client gets the bytes that are held.
    if (held.fill !== undefined) return;
    held.isEncodingBegun = true;
    this.#waiting.set(held, key);
    if (!this.#isAtWork) void this.#work();
  }

  stop(): void {
    this.#waiting.clear();
  }

  #hasBrotli({ isEncoded, fill, page }: CachedPage): boolean {
    const isLong = page.body.byteLength >= LEAST_ENCODED_BYTES;
    return isEncoded && fill === undefined && isLong && this.#encodings.includes('br');
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    for (const [held, key] of this.#waiting) {
      this.#waiting.delete(held);
      for (const encoding of this.#encodings) {
        if (!this.#memory.holds(key, held)) break;
        if (held.encoded[encoding] === undefined) await this.#make(key, held, encoding);
      }
      held.isEncodingDone = this.#memory.holds(key, held);
    }
    this.#isAtWork = false;
  }

  /** @returns whether the encoding is made, and worth it. */
  async #makeWith(
    key: string,
    held: CachedPage,
    wanted: EncodingWithDictionary,
    waiter?: Waiter,
  ): Promise<boolean> {
    const { encoding, dictionary } = wanted;
    const { body, path } = held.page;
    if (body.byteLength < LEAST_ENCODED_BYTES) return false;
    held.addWith(dictionary, encoding, 'is being made');
    const encoded = await this.#encoder.code(body, wanted, path, waiter);
    const isHeld = this.#memory.holds(key, held);
    if (encoded === undefined || !this.#memory.fits(key, held.bytes + encoded.byteLength)) {
      // Without a waiter it has failed, and would again.
      if (waiter !== undefined) held.addWith(dictionary, encoding, 'failed');
      return false;
    }
    held.addWith(dictionary, encoding, encoded);
    if (isHeld) this.#memory.set(key, held);
    return Boolean(held.withDictionary?.get(dictionary)?.[encoding]);
  }

  async #make(
    key: string,
    held: CachedPage,
    encoding: ContentEncoding,
    waiter?: Waiter,
  ): Promise<void> {
    const { body, path } = held.page;
    const encoded = await this.#encoder.code(body, encoding, path, waiter);
    // Another request may have added the same encoding meanwhile.
    if (encoded === undefined || held.encoded[encoding] !== undefined) return;
    if (!this.#memory.fits(key, held.bytes + encoded.byteLength)) return;
    const isHeld = this.#memory.holds(key, held);
    held.add(encoding, isHeld ? this.#memory.hold(encoded) : encoded);
    if (isHeld) this.#memory.set(key, held);
  }
}
