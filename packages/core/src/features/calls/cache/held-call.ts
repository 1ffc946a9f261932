import { valueOf } from '../../../http/header-list.ts';
import { ageOf } from '../../../pages/memory/cached-page.ts';
import type { Purgeable } from '../../../pages/memory/purge-log.ts';
import { type Use, useOf } from '../../../pages/policy/use-of.ts';
import type { StoredPage } from '../../../pages/stored-page.ts';
import type { RequestDirectives } from './request-directives.ts';

/** Objects and a map entry besides the bytes. */
const OVERHEAD_BYTES = 1024;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/** The stored response to a call in memory, with its state. */
export class HeldCall implements Purgeable {
  readonly page: StoredPage;
  readonly bytes: number;
  /** When it was generated (`performance.now()`): the wall clock may be set back. */
  readonly bornAtMs: number;
  staleAtMs: number;
  purgesSeen: number;
  isRefreshing = false;
  #failures = 0;
  #retryAtMs = 0;

  constructor(
    page: StoredPage,
    purgesSeen: number,
    bornAtMs: number = performance.now() - ageOf(page),
  ) {
    const { body } = page;
    // A slice would keep all of Node's pool, or of what a socket has read at a time.
    const isSlice = body.byteLength < body.buffer.byteLength;
    this.page = isSlice ? { ...page, body: new Uint8Array(body) } : page;
    this.purgesSeen = purgesSeen;
    this.bornAtMs = bornAtMs;
    this.staleAtMs = bornAtMs + page.freshSeconds * 1000;
    const characters = page.headers.reduce((sum, text) => sum + text.length, page.path.length);
    this.bytes = OVERHEAD_BYTES + page.body.byteLength + characters;
  }

  get ageSeconds(): number {
    return Math.floor((performance.now() - this.bornAtMs) / 1000);
  }

  get etag(): string | undefined {
    return valueOf(this.page.headers, 'etag');
  }

  get lastModified(): string | undefined {
    return valueOf(this.page.headers, 'last-modified');
  }

  /** How it may answer a call now (RFC 9111 section 4.2). */
  useFor({ mayUse, isValidated, maxAge, minFresh }: RequestDirectives): Use {
    if (!mayUse) return 'expired';
    const nowMs = performance.now();
    const use = useOf(this, nowMs);
    if (use === 'expired') return use;
    const isOld = maxAge !== undefined && this.ageSeconds > maxAge;
    const isBrief = minFresh > 0 && nowMs + minFresh * 1000 > this.staleAtMs;
    // The call asks for a response of the API: a stored one is for the case that there is none.
    if (isValidated || isOld || isBrief) {
      return (nowMs - this.staleAtMs) / 1000 < this.page.staleIfErrorSeconds
        ? 'if-error'
        : 'expired';
    }
    return use;
  }

  /** Whether the API has failed lately: it is not asked again for a time. */
  get isBackedOff(): boolean {
    return performance.now() < this.#retryAtMs;
  }

  /** @returns milliseconds until the API is asked again; undefined if they run already. */
  backOff(): number | undefined {
    if (this.isBackedOff) return undefined;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, LAST_RETRY_MS);
    this.#retryAtMs = performance.now() + waitMs;
    return waitMs;
  }
}
