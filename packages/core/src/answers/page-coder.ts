import { SsrError } from '../errors.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { encode, type Levels } from '../http/content-coding.ts';
import type { Coder, CodingWithDictionary } from './coder.ts';
import { Demand, type Waiter } from '../render/demand.ts';

/** Levels that cost a fraction of a render's CPU time: see bench/findings.md. Stored pages use them too. */
const LEVELS: Levels = { zstd: 3, br: 5, gzip: 6 };
/** Pages coded at a time. libuv has four threads: two stay free for files and DNS. */
const PLACES = 2;
/** A page that would wait longer than this for a slot is sent uncoded. */
const MOST_WAIT_MS = 20;
/** The estimate before the first measurement: lower than measured values. */
const FIRST_MS_PER_BYTE = 1 / 100_000;
/** The weight of a new measurement in the moving average. */
const WEIGHT = 1 / 8;

/** One coding of one page, for all requests that wait for it. */
interface Job {
  readonly coded: Promise<Uint8Array | undefined>;
  readonly demand: Demand;
}

/**
 * Codes rendered pages on zlib's threads: each page once for all requests for the same coding, a bounded
 * number at a time. The time that coding takes is measured: a client that would wait too long for a
 * slot, or past its deadline, gets its page uncoded.
 */
export class PageCoder implements Coder {
  readonly #onError: (error: SsrError) => void;
  readonly #jobs = new WeakMap<Uint8Array, Map<string, Job>>();
  /** Callbacks that start the jobs waiting for a slot, the oldest first. */
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Total size of all pages being coded or waiting. */
  #bytes = 0;
  #msPerByte = FIRST_MS_PER_BYTE;

  constructor(onError: (error: SsrError) => void) {
    this.#onError = onError;
  }

  /**
   * The content in one coding. Never rejects: an error is reported, and the result is undefined.
   *
   * @param name - Of the page, for messages.
   * @param waiter - The request that waits for it. Without one the coding has no deadline.
   * @returns undefined if the coding would be too late, is not available or saves next to nothing, or if
   * every request that waited for it has disconnected.
   */
  code(
    body: Uint8Array,
    coding: ContentCoding | CodingWithDictionary,
    name: string,
    waiter?: Waiter,
  ): Promise<Uint8Array | undefined> {
    const id = idOf(coding);
    const underWay = this.#jobs.get(body)?.get(id);
    if (underWay !== undefined) {
      if (waiter !== undefined) underWay.demand.add(waiter);
      return underWay.coded;
    }
    if (waiter !== undefined && this.#isTooLate(body, waiter)) return Promise.resolve(undefined);
    const demand = new Demand(waiter === undefined ? Number.POSITIVE_INFINITY : undefined);
    if (waiter !== undefined) demand.add(waiter);
    const coded = new Promise<Uint8Array | undefined>((resolve) => {
      this.#waiting.push(() => resolve(this.#run(body, coding, name, demand)));
    });
    const jobs = this.#jobs.get(body) ?? new Map<string, Job>();
    this.#jobs.set(body, jobs.set(id, { coded, demand }));
    this.#bytes += body.byteLength;
    this.#startNext();
    return coded;
  }

  #isTooLate({ byteLength }: Uint8Array, { deadlineAtMs }: Waiter): boolean {
    const waitMs = this.#running < PLACES ? 0 : (this.#bytes * this.#msPerByte) / PLACES;
    const takesMs = waitMs + byteLength * this.#msPerByte;
    return waitMs > MOST_WAIT_MS || performance.now() + takesMs > deadlineAtMs;
  }

  #startNext(): void {
    while (this.#running < PLACES && this.#waiting.length > 0) {
      this.#running++;
      this.#waiting.shift()!();
    }
  }

  async #run(
    body: Uint8Array,
    coding: ContentCoding | CodingWithDictionary,
    name: string,
    demand: Demand,
  ): Promise<Uint8Array | undefined> {
    try {
      if (demand.isOver) return undefined;
      const sinceMs = performance.now();
      const coded =
        typeof coding === 'string' ? await encode(body, coding, LEVELS) : await coding.encode(body);
      this.#note((performance.now() - sinceMs) / body.byteLength);
      return coded;
    } catch (cause) {
      const made = typeof coding === 'string' ? coding : coding.coding;
      const message = `${name}: the page could not be coded as ${made}`;
      this.#onError(new SsrError('NG_SSR_CODING_FAILED', message, { cause }));
      return undefined;
    } finally {
      this.#jobs.get(body)?.delete(idOf(coding));
      this.#bytes -= body.byteLength;
      this.#running--;
      this.#startNext();
    }
  }

  #note(msPerByte: number): void {
    this.#msPerByte += (msPerByte - this.#msPerByte) * WEIGHT;
  }
}

function idOf(coding: ContentCoding | CodingWithDictionary): string {
  return typeof coding === 'string' ? coding : `${coding.coding} ${coding.dictionary}`;
}
