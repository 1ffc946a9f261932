import { platform } from '#platform';
import { entityTag } from '#etag';
import type { ContentEncoding, NegotiableEncoding } from '../../http/accept-encoding.ts';
import type { DictionaryEncoding } from '../../http/dictionary-encoding.ts';
import type { HeaderList } from '../../http/header-list.ts';
import { parseHttpDate } from '../../http/http-date.ts';
import { isWorthwhile, superfluous } from '../../answers/dictionary-forms.ts';
import type { Fill } from '../../answers/fill.ts';
import type { Choose, Resource } from '../../answers/resource.ts';
import { type ContentHead, readContentHead } from '../../answers/content-head.ts';
import { isStaleForbidden } from '../policy/may-store.ts';
import type { StoredPage } from '../stored-page.ts';
import type { KeptMarks, PageTraits } from '../traits/page-traits.ts';
import { AgedPage, type AgelessForms, type AgelessRepresentation } from './aged-page.ts';
import { inOwnMemory, toSharedBytes } from '../../shared-bytes.ts';

/** Objects, map entries and strings of a page besides its bytes: measured, rounded up. */
const OVERHEAD_BYTES = 2048;

interface Born {
  /** The latest purge when its render began: later ones apply to the page. */
  readonly purgesSeen: number;
  /** When it was generated (`performance.now()`), by default by its date, read once: the wall clock may be set back. */
  readonly bornAtMs?: number | undefined;
}

/** How a page is taken into memory. */
export interface Taking extends Born {
  readonly traits: PageTraits;
  /** As in {@link PageTraits.keep}. */
  readonly query: string;
  readonly isEncoded: boolean;
}

/** A stored page in memory, in identity and in the encodings made so far, with its state. */
export class CachedPage implements Resource<AgelessRepresentation> {
  readonly page: StoredPage;
  /** Of the traits of the server. */
  readonly marks: KeptMarks;
  readonly identity: AgelessRepresentation;
  readonly unencoded: AgelessRepresentation;
  readonly encoded: { [encoding in ContentEncoding]?: AgelessRepresentation } = {};
  readonly isEncoded: boolean;
  readonly withDictionary: AgelessForms | undefined;
  readonly choose: Choose | undefined;
  readonly fill: Fill | undefined;
  /** When it was generated, by the monotonic clock (`performance.now()`). */
  readonly bornAtMs: number;
  /** When it becomes stale, by the same clock; a soft purge sets an earlier time. */
  staleAtMs: number;
  /** The latest purge that the page is newer than, or that has been applied to it. */
  purgesSeen: number;
  /** Bytes in memory, all encodings and headers included. */
  bytes: number;
  hits = 0;
  isLacking = false;
  /** Whether encodings are made only if it is lacking one: most clients take that of the store. */
  isEncodedOnDemand = false;
  isEncodingBegun = false;
  /** Whether every encoding worth having is made. */
  isEncodingDone = false;
  isRefreshing = false;
  failedRefreshes = 0;
  /** Before this time (`performance.now()`) a failed refresh is not tried again. */
  retryAtMs = 0;
  readonly #hasContent: boolean;
  readonly #headers: HeaderList;
  readonly #hasValidator: boolean;
  readonly #ownTag: string | undefined;
  readonly #lastModifiedMs: number | undefined;
  #now: AgedPage | undefined;

  /** Takes a page into memory. */
  static take(given: StoredPage, { traits, query, isEncoded, ...born }: Taking): CachedPage {
    const page = { ...given, body: inOwnMemory(given.body) };
    const head = readContentHead(page.status, page.headers);
    return new CachedPage(page, head, traits.keep(page, head, query, isEncoded), born);
  }

  private constructor(page: StoredPage, head: ContentHead, marks: KeptMarks, born: Born) {
    this.page = page;
    this.marks = marks;
    const { body, path, freshSeconds } = page;
    const { values, hasContent, isText, isNoStore } = head;
    const { purgesSeen, bornAtMs = performance.now() - ageOf(page) } = born;
    const { headers, vary } = marks;
    this.isEncoded = marks.isEncoded;
    this.withDictionary = marks.wanted === undefined ? undefined : new Map();
    this.choose = marks.choose;
    this.fill = marks.fill;
    this.purgesSeen = purgesSeen;
    this.bornAtMs = bornAtMs;
    this.staleAtMs = this.bornAtMs + freshSeconds * 1000;
    // CDN-Cache-Control may let this server store a page that downstream caches must not.
    this.#hasValidator = !isNoStore;
    this.#hasContent = hasContent;
    const kept: string[] = [];
    let characters = path.length;
    for (let i = 0; i < headers.length; i += 2) {
      const [name, value] = [headers[i]!, headers[i + 1]!];
      characters += name.length + value.length;
      const header = name.toLowerCase();
      const isReplaced = header === 'etag' || (header === 'vary' && vary !== undefined);
      if (!isReplaced) kept.push(name, value);
    }
    if (vary !== undefined) kept.push('vary', vary);
    kept.push(...marks.always);
    this.#headers = kept;
    this.#ownTag = values.get('etag');
    const lastModified = values.get('last-modified');
    this.#lastModifiedMs = lastModified === undefined ? undefined : parseHttpDate(lastModified);
    this.bytes = OVERHEAD_BYTES + body.byteLength + characters;
    const tag = this.#hasValidator ? (this.#ownTag ?? entityTag(body)) : undefined;
    this.identity = this.#represent('identity', body, tag);
    // The page's own tag stays as it is: who codes the page on its way changes it (RFC 9110 section 8.8.3.3).
    const unencodedTag = this.#ownTag === undefined ? tag && toWeak(tag) : tag;
    this.unencoded = isText ? this.#represent('identity', body, unencodedTag, true) : this.identity;
  }

  /** Whether the page forbids its use when it is stale (RFC 9111 section 5.2.2.2). */
  get isStaleForbidden(): boolean {
    return isStaleForbidden(this.page.headers);
  }

  /** Adds the content in one encoding, which is negotiated from now on. */
  add(encoding: ContentEncoding, body: Uint8Array): void {
    this.encoded[encoding] = this.#represent(encoding, body, this.#tagOf(body));
    this.bytes += body.byteLength;
    this.#now = undefined;
  }

  /**
   * Adds the content encoded against a dictionary. An encoding that is not worth it is not kept, and not made again;
   * one that could not be made may be tried again.
   */
  addWith(
    dictionary: string,
    encoding: DictionaryEncoding,
    body: Uint8Array | 'is being made' | 'failed',
  ): void {
    const forms = this.withDictionary;
    if (forms === undefined) return;
    const { [encoding]: _earlier, ...others } = forms.get(dictionary) ?? {};
    if (body === 'failed') forms.set(dictionary, others);
    else if (body === 'is being made' || !this.#isWorthwhile(body)) {
      forms.set(dictionary, { ...others, [encoding]: null });
    } else {
      const form = this.#represent(encoding, body, this.#tagOf(body));
      forms.set(dictionary, { ...others, [encoding]: form });
      this.bytes += body.byteLength;
    }
    for (const name of superfluous(forms)) {
      for (const form of Object.values(forms.get(name)!)) this.bytes -= form?.body.byteLength ?? 0;
      forms.delete(name);
    }
    this.#now = undefined;
  }

  #isWorthwhile(body: Uint8Array): boolean {
    const others = Object.values(this.encoded).map((form) => form.body.byteLength);
    return isWorthwhile(body, this.page.body, others);
  }

  /** Takes over the encodings of the page it replaces, if the content is the same. */
  adopt(earlier: CachedPage): void {
    if (!this.isEncoded || !platform.isSameContent(this.page.body, earlier.page.body)) return;
    for (const [encoding, { body }] of Object.entries(earlier.encoded)) {
      this.add(encoding as ContentEncoding, body);
    }
    for (const [name, forms] of earlier.withDictionary ?? []) {
      for (const [encoding, form] of Object.entries(forms)) {
        if (form) this.addWith(name, encoding as DictionaryEncoding, form.body);
      }
    }
    if (!earlier.isEncodingDone) return;
    this.isEncodingDone = true;
    this.hits = earlier.hits;
  }

  /** The same page with its bytes in shared memory. */
  inSharedMemory(): CachedPage {
    const { page, marks, purgesSeen, bornAtMs } = this;
    const body = toSharedBytes(page.body);
    const head = readContentHead(page.status, page.headers);
    const moved = new CachedPage({ ...page, body }, head, marks, { purgesSeen, bornAtMs });
    for (const [encoding, { body }] of Object.entries(this.encoded)) {
      moved.add(encoding as ContentEncoding, toSharedBytes(body));
    }
    const { staleAtMs, hits, isLacking, isEncodedOnDemand, isEncodingDone } = this;
    const { failedRefreshes, retryAtMs } = this;
    const encoding = { hits, isLacking, isEncodedOnDemand, isEncodingDone };
    return Object.assign(moved, { staleAtMs, ...encoding, failedRefreshes, retryAtMs });
  }

  /**
   * The page as it is answered now, with Age and Cache-Status; built once a second.
   *
   * @param nowMs - `performance.now()`
   * @param status - For Cache-Status, in place of a hit.
   * @param isPurged - Whether the page was purged since its render began.
   */
  at(nowMs: number, status?: string, isPurged = false): Resource {
    const age = Math.floor((nowMs - this.bornAtMs) / 1000);
    const ttl = Math.floor((this.staleAtMs - nowMs) / 1000);
    // A page that a purge has made stale looks fresh by its Age.
    const ofTraits = isPurged || nowMs >= this.staleAtMs ? this.marks.stale : this.marks.fresh;
    if (status !== undefined) return new AgedPage(this, age, ttl, `ng-ssr; ${status}`, ofTraits);
    const now = this.#now;
    if (now === undefined || now.age !== age || now.ttl !== ttl || now.ofTraits !== ofTraits) {
      return (this.#now = new AgedPage(this, age, ttl, `ng-ssr; hit; ttl=${ttl}`, ofTraits));
    }
    return now;
  }

  /** The page's own tag is that of identity; for an encoding it is made weak. */
  #tagOf(encoded: Uint8Array): string | undefined {
    if (!this.#hasValidator) return undefined;
    return this.#ownTag === undefined ? entityTag(encoded) : toWeak(this.#ownTag);
  }

  #represent(
    encoding: NegotiableEncoding | DictionaryEncoding,
    body: Uint8Array,
    etag: string | undefined,
    mayBeEncoded = false,
  ): AgelessRepresentation {
    const headers = this.#hasContent ? ['content-length', String(body.byteLength)] : [];
    headers.push(...this.#headers);
    if (encoding !== 'identity') headers.push('content-encoding', encoding);
    const shown =
      etag ?? (encoding === 'identity' ? this.#ownTag : this.#ownTag && toWeak(this.#ownTag));
    if (shown !== undefined) headers.push('etag', shown);
    return {
      encoding,
      mayBeEncoded,
      etag,
      lastModifiedMs: this.#lastModifiedMs,
      status: this.page.status,
      headers,
      body: inOwnMemory(body),
      notModifiedHeaders: undefined,
    };
  }
}

function toWeak(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/**
 * The age of a page by the wall clock, in milliseconds: 0 if its date is in the future, so that no page
 * is fresh for longer than its lifetime from its receipt on.
 */
export function ageOf({ dateMs }: StoredPage): number {
  return Math.max(0, Date.now() - dateMs);
}
