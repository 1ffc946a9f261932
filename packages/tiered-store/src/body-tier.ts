import { SsrError } from '@ng-ssr/core';
import { bodyName, decodeBody, mostStoredBytes } from './body-format.ts';
import type { BodyStore } from './body-store.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { Stub } from './frames.ts';

/** How long a body may take to its store: no page waits for it. */
const WRITE_MS = 10_000;

const OUTCOMES = {
  read: 'cannot be read: until it can, pages come from the next store or are rendered',
  written: 'cannot be written: until it can, new pages are not kept there',
  damaged: 'has damaged bodies, which are not used: pages come from the next store or are rendered',
} as const;

/** A body, and the bytes that its store has of it. */
export interface FoundBody {
  readonly body: Uint8Array;
  readonly stored: Uint8Array;
}

/** A store of bodies that may be down, slow or damaged: none of its members rejects. */
export class BodyTier {
  readonly #store: BodyStore;
  readonly #report: (error: SsrError) => void;
  readonly #ended: AbortSignal;
  readonly #timeoutMs: number;
  readonly #reading: CircuitBreaker;
  readonly #writing: CircuitBreaker;
  readonly #out = new Set<keyof typeof OUTCOMES>();

  /**
   * @param ended - Aborted when the server closes.
   * @param timeoutMs - How long a page waits for a body.
   */
  constructor(
    store: BodyStore,
    report: (error: SsrError) => void,
    ended: AbortSignal,
    timeoutMs: number,
  ) {
    this.#timeoutMs = timeoutMs;
    this.#store = store;
    this.#report = report;
    this.#ended = ended;
    this.#reading = this.#breaker('read');
    this.#writing = this.#breaker('written');
  }

  /** Whether a body of this length would be sent now. */
  takes(bytes: number): boolean {
    return bytes <= (this.#store.maxBodyBytes ?? Infinity) && this.#writing.takesCalls;
  }

  async read({ digest, length }: Stub): Promise<FoundBody | undefined> {
    const name = bodyName(digest);
    const get = (signal: AbortSignal): ReturnType<BodyStore['get']> =>
      this.#store.get(name, mostStoredBytes(length), signal);
    const stored = await this.#reading
      .run(get, this.#timeoutMs, this.#ended)
      .catch(() => undefined);
    if (stored === undefined) return undefined;
    const body = await decodeBody(stored, digest, length);
    if (body !== undefined) return { body, stored };
    this.#fail('damaged', `the first is ${name}`);
    return undefined;
  }

  /** @returns whether the store has taken it. */
  async write(name: string, stored: Uint8Array): Promise<boolean> {
    if (!this.takes(stored.byteLength)) return false;
    const put = (signal: AbortSignal): Promise<void> => this.#store.put(name, stored, signal);
    return this.#writing.run(put, WRITE_MS, this.#ended).then(
      () => true,
      () => false,
    );
  }

  #breaker(kind: 'read' | 'written'): CircuitBreaker {
    return new CircuitBreaker({
      onOutage: (cause) => this.#fail(kind, cause),
      onReturn: () => this.#out.delete(kind),
    });
  }

  /** Reports an outage once: a store that is down can be neither read nor written. */
  #fail(kind: keyof typeof OUTCOMES, cause: unknown): void {
    const isReported = this.#out.has(kind) || (kind !== 'damaged' && this.#isDown);
    this.#out.add(kind);
    if (isReported) return;
    const message = `the store of bodies ${this.#store.name} ${OUTCOMES[kind]}`;
    this.#report(new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause }));
  }

  get #isDown(): boolean {
    return this.#out.has('read') || this.#out.has('written');
  }
}
