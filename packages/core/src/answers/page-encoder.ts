import { SsrError } from '../errors.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import { encode, type Levels } from '../http/content-encoding.ts';
import type { Encoder, EncodingWithDictionary } from './encoder.ts';
import { Demand, type Waiter } from '../render/demand.ts';

/** Levels that cost a fraction of a render's CPU time: see bench/findings.md. Stored pages use them too. */
const LEVELS: Levels = { zstd: 3, br: 5, gzip: 6 };
/** Pages encoded at a time. libuv has four threads: two stay free for files and DNS. */
const PLACES = 2;
/** A page that would wait longer than this for a slot is sent unencoded. */
const MOST_WAIT_MS = 20;
/** The estimate before the first measurement: lower than measured values. */
const FIRST_MS_PER_BYTE = 1 / 100_000;
/** The weight of a new measurement in the moving average. */
const WEIGHT = 1 / 8;

/** One encoding of one page, for all requests that wait for it. */
interface Job {
  readonly encoded: Promise<Uint8Array | undefined>;
  readonly demand: Demand;
  readonly bytes: number;
  start(): void;
}

/**
 * Codes rendered pages on zlib's threads: each page once for all requests for the same encoding, a bounded
 * number at a time. The time that encoding takes is measured: a client that would wait too long for a
 * slot, or past its deadline, gets its page unencoded.
 */
export class PageEncoder implements Encoder {
  readonly #onError: (error: SsrError) => void;
  readonly #jobs = new WeakMap<Uint8Array, Map<string, Job>>();
  /** The jobs of clients that wait for a slot, the oldest first. */
  readonly #waiting = new Set<Job>();
  /** Those of the server itself, which come after them. */
  readonly #behind = new Set<Job>();
  #running = 0;
  /** Total size of all pages being encoded, and of those that clients wait for. */
  #bytes = 0;
  #msPerByte = FIRST_MS_PER_BYTE;

  constructor(onError: (error: SsrError) => void) {
    this.#onError = onError;
  }

  /**
   * The content in one encoding. Never rejects: an error is reported, and the result is undefined.
   *
   * @param name - Of the page, for messages.
   * @param waiter - The request that waits for it. Without one the encoding has no deadline.
   * @returns undefined if the encoding would be too late, is not available or saves next to nothing, or if
   * every request that waited for it has disconnected.
   */
  code(
    body: Uint8Array,
    encoding: ContentEncoding | EncodingWithDictionary,
    name: string,
    waiter?: Waiter,
  ): Promise<Uint8Array | undefined> {
    const id = idOf(encoding);
    const inFlight = this.#jobs.get(body)?.get(id);
    const isWaited = inFlight !== undefined && !this.#behind.has(inFlight);
    const isTooLate = waiter !== undefined && !isWaited && this.#isTooLate(body, waiter);
    if (isTooLate) return Promise.resolve(undefined);
    const job = inFlight ?? this.#add(body, encoding, name, waiter === undefined);
    if (waiter !== undefined) {
      job.demand.add(waiter);
      this.#advance(job);
    }
    this.#startNext();
    return job.encoded;
  }

  /** Adds a job behind those of clients. */
  #add(
    body: Uint8Array,
    encoding: ContentEncoding | EncodingWithDictionary,
    name: string,
    isOfServer: boolean,
  ): Job {
    const demand = new Demand(isOfServer ? Number.POSITIVE_INFINITY : undefined);
    let start!: () => void;
    const encoded = new Promise<Uint8Array | undefined>((resolve) => {
      start = () => resolve(this.#run(body, encoding, name, demand));
    });
    const job = { encoded, demand, bytes: body.byteLength, start };
    const jobs = this.#jobs.get(body) ?? new Map<string, Job>();
    this.#jobs.set(body, jobs.set(idOf(encoding), job));
    this.#behind.add(job);
    return job;
  }

  /** A client waits for the job now. */
  #advance(job: Job): void {
    if (!this.#behind.delete(job)) return;
    this.#waiting.add(job);
    this.#bytes += job.bytes;
  }

  #isTooLate({ byteLength }: Uint8Array, { deadlineAtMs }: Waiter): boolean {
    const waitMs = this.#running < PLACES ? 0 : (this.#bytes * this.#msPerByte) / PLACES;
    const takesMs = waitMs + byteLength * this.#msPerByte;
    return waitMs > MOST_WAIT_MS || performance.now() + takesMs > deadlineAtMs;
  }

  #startNext(): void {
    while (this.#running < PLACES) {
      const [job] = this.#waiting.size > 0 ? this.#waiting : this.#behind;
      if (job === undefined) return;
      this.#advance(job);
      this.#waiting.delete(job);
      this.#running++;
      job.start();
    }
  }

  async #run(
    body: Uint8Array,
    encoding: ContentEncoding | EncodingWithDictionary,
    name: string,
    demand: Demand,
  ): Promise<Uint8Array | undefined> {
    try {
      if (demand.isOver) return undefined;
      const sinceMs = performance.now();
      const encoded =
        typeof encoding === 'string'
          ? await encode(body, encoding, LEVELS)
          : await encoding.encode(body);
      this.#note((performance.now() - sinceMs) / body.byteLength);
      return encoded;
    } catch (cause) {
      const made = typeof encoding === 'string' ? encoding : encoding.encoding;
      const message = `${name}: the page could not be encoded as ${made}`;
      this.#onError(new SsrError('NG_SSR_ENCODING_FAILED', message, { cause }));
      return undefined;
    } finally {
      this.#jobs.get(body)?.delete(idOf(encoding));
      this.#bytes -= body.byteLength;
      this.#running--;
      this.#startNext();
    }
  }

  #note(msPerByte: number): void {
    this.#msPerByte += (msPerByte - this.#msPerByte) * WEIGHT;
  }
}

function idOf(encoding: ContentEncoding | EncodingWithDictionary): string {
  return typeof encoding === 'string' ? encoding : `${encoding.encoding} ${encoding.dictionary}`;
}
