import { SsrError } from '../errors.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { encode, type Levels } from '../http/content-coding.ts';
import type { HeldPage } from './held-page.ts';
import type { PageMemory } from './page-memory.ts';

/** Stored pages live for seconds or minutes: what is quick and nearly as small. */
const LEVELS: Levels = { br: 5, zstd: 6, gzip: 6 };

/** Pages asked for once are not worth it. */
const FIRST_HITS = 2;

/** Makes the codings of pages that are asked for again, one after another, off the main thread. */
export class PageCodings {
  readonly #memory: PageMemory;
  readonly #codings: readonly ContentCoding[];
  readonly #onError: (error: SsrError) => void;
  readonly #waiting = new Map<HeldPage, string>();
  #isAtWork = false;

  constructor(
    memory: PageMemory,
    codings: readonly ContentCoding[],
    onError: (error: SsrError) => void,
  ) {
    this.#memory = memory;
    this.#codings = codings;
    this.#onError = onError;
  }

  /** Counts a hit. */
  count(key: string, held: HeldPage): void {
    if (++held.hits !== FIRST_HITS || !held.isCoded) return;
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

  async #make(key: string, held: HeldPage, coding: ContentCoding): Promise<void> {
    try {
      const body = await encode(held.page.body, coding, LEVELS);
      if (body === undefined || !this.#memory.holds(key, held)) return;
      if (!this.#memory.fits(key, held.bytes + body.byteLength)) return;
      held.add(coding, body);
      this.#memory.set(key, held);
    } catch (cause) {
      const message = `${held.page.path} has no ${coding} coding`;
      this.#onError(new SsrError('NG_SSR_CODING_FAILED', message, { cause }));
    }
  }
}
