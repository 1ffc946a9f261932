import { entityTag } from '@ng-ssr/etag';
import { isCompressible } from '../../http/content-type.ts';
import type { Answer } from '../../exchange.ts';
import type { ContentCoding, NegotiableCoding } from '../../http/accept-encoding.ts';
import { hasDirective } from '../../http/cache-control.ts';
import { addVary, type HeaderList, valueOf, withField } from '../../http/header-list.ts';
import { parseHttpDate } from '../../http/http-date.ts';
import { type Representation, toRepresentation } from '../../answers/representation.ts';
import type { Resource } from '../../answers/select.ts';
import { hasContent } from '../../http/status.ts';
import { isCodable } from '../../answers/codable.ts';
import { isStaleForbidden } from '../policy/may-store.ts';
import type { StoredPage } from '../store/page-store.ts';

/** Objects, map entries and strings of a page besides its bytes: measured, rounded up. */
const OVERHEAD_BYTES = 2048;

/** A stored page in memory, in identity and in the codings made so far, with its state. */
export class HeldPage {
  readonly identity: Representation;
  readonly uncoded: Representation;
  readonly coded: { [coding in ContentCoding]?: Representation } = {};
  readonly isCoded: boolean;
  /** When it was generated, by the monotonic clock (`performance.now()`). */
  readonly bornAtMs: number;
  /** When it becomes stale, by the same clock; a soft purge sets an earlier time. */
  staleAtMs: number;
  /** The latest purge that the page is newer than, or that has been applied to it. */
  purgesSeen: number;
  hits = 0;
  /** Whether every coding worth having is made. */
  isCodingDone = false;
  isRefreshing = false;
  failedRefreshes = 0;
  /** Before this time (`performance.now()`) a failed refresh is not tried again. */
  retryAtMs = 0;
  readonly #fields: HeaderList;
  readonly #hasValidator: boolean;
  readonly #ownTag: string | undefined;
  #now: AgedPage | undefined;

  /**
   * @param purgesSeen - The latest purge when its render began: later ones apply to the page.
   * @param isCoded - Whether codings are made of pages at all.
   * @param bornAtMs - When it was generated (`performance.now()`). The wall clock is read only once,
   * because the page would stay fresh if it were set back.
   */
  constructor(
    readonly page: StoredPage,
    purgesSeen: number,
    isCoded: boolean,
    bornAtMs = performance.now() - ageOf(page),
  ) {
    const { headers, body, freshSeconds } = page;
    const type = valueOf(headers, 'content-type');
    const isText = type !== undefined && isCompressible(type);
    this.isCoded = isCoded && body.byteLength > 0 && isCodable(page.status, headers);
    this.purgesSeen = purgesSeen;
    this.bornAtMs = bornAtMs;
    this.staleAtMs = this.bornAtMs + freshSeconds * 1000;
    this.#fields = this.isCoded
      ? withField(headers, 'vary', addVary(valueOf(headers, 'vary'), 'Accept-Encoding'))
      : headers;
    // CDN-Cache-Control may let this server store a page that downstream caches must not.
    this.#hasValidator = !hasDirective(valueOf(headers, 'cache-control'), 'no-store');
    this.#ownTag = valueOf(headers, 'etag');
    this.identity = this.#represent('identity', body);
    this.uncoded = isText ? this.#represent('identity', body, true) : this.identity;
  }

  /** Whether the page forbids its use when it is stale (RFC 9111 section 5.2.2.2). */
  get isStaleForbidden(): boolean {
    return isStaleForbidden(this.page.headers);
  }

  /** Bytes in memory, all codings and fields included. */
  get bytes(): number {
    const { headers, body, path } = this.page;
    let fields = path.length;
    for (const text of headers) fields += text.length;
    let bytes = OVERHEAD_BYTES + body.byteLength + fields;
    for (const { full } of Object.values(this.coded)) bytes += full.body!.byteLength;
    return bytes;
  }

  /** Adds the content in one coding, which is negotiated from now on. */
  add(coding: ContentCoding, body: Uint8Array): void {
    this.coded[coding] = this.#represent(coding, body);
    this.#now = undefined;
  }

  /** Takes over the codings of the page it replaces, if the content is the same. */
  adopt(earlier: HeldPage): void {
    if (!this.isCoded || Buffer.compare(this.page.body, earlier.page.body) !== 0) return;
    for (const [coding, { full }] of Object.entries(earlier.coded)) {
      this.add(coding as ContentCoding, full.body!);
    }
    if (!earlier.isCodingDone) return;
    this.isCodingDone = true;
    this.hits = earlier.hits;
  }

  /**
   * The page as it is answered now, with Age and Cache-Status; built once a second.
   *
   * @param nowMs - `performance.now()`
   * @param status - For Cache-Status, in place of a hit.
   */
  at(nowMs: number, status?: string): Resource {
    const age = Math.floor((nowMs - this.bornAtMs) / 1000);
    const ttl = Math.floor((this.staleAtMs - nowMs) / 1000);
    if (status !== undefined) return new AgedPage(this, age, ttl, `ng-ssr; ${status}`);
    if (this.#now === undefined || this.#now.age !== age || this.#now.ttl !== ttl) {
      this.#now = new AgedPage(this, age, ttl, `ng-ssr; hit; ttl=${ttl}`);
    }
    return this.#now;
  }

  #represent(coding: NegotiableCoding, body: Uint8Array, mayBeCoded = false): Representation {
    const { status } = this.page;
    const etag = this.#hasValidator ? this.#tagOf(coding, body, mayBeCoded) : undefined;
    let headers = hasContent(status) ? ['content-length', String(body.byteLength)] : [];
    headers = headers.concat(this.#fields);
    if (coding !== 'identity') headers.push('content-encoding', coding);
    if (etag !== undefined) headers = withField(headers, 'etag', etag);
    const lastModified = valueOf(headers, 'last-modified');
    return toRepresentation({
      coding,
      mayBeCoded,
      status,
      headers,
      body,
      etag,
      lastModifiedMs: lastModified === undefined ? undefined : parseHttpDate(lastModified),
    });
  }

  /** The page's own tag is that of identity; for other codings it is made weak. */
  #tagOf(coding: NegotiableCoding, body: Uint8Array, mayBeCoded: boolean): string {
    const tag = this.#ownTag ?? entityTag(body);
    const isWeak = mayBeCoded || (this.#ownTag !== undefined && coding !== 'identity');
    return isWeak && !tag.startsWith('W/') ? `W/${tag}` : tag;
  }
}

/**
 * The age of a page by the wall clock, in milliseconds: 0 if its date is in the future, so that no page
 * is fresh for longer than its lifetime from its receipt on.
 */
export function ageOf({ dateMs }: StoredPage): number {
  return Math.max(0, Date.now() - dateMs);
}

/** A page with its Age and TTL in one second. */
class AgedPage implements Resource {
  readonly identity: Representation;
  readonly uncoded: Representation;
  readonly coded: { readonly [coding in ContentCoding]?: Representation };
  readonly isCoded: boolean;

  constructor(
    { identity, uncoded, coded, isCoded }: HeldPage,
    readonly age: number,
    readonly ttl: number,
    status: string,
  ) {
    const fields = ['age', String(age), 'cache-status', status];
    this.isCoded = isCoded;
    this.identity = new AgedRepresentation(identity, fields);
    this.uncoded = new AgedRepresentation(uncoded, fields);
    const aged: { [coding in ContentCoding]?: Representation } = {};
    for (const coding in coded) {
      const representation = coded[coding as ContentCoding]!;
      aged[coding as ContentCoding] = new AgedRepresentation(representation, fields);
    }
    this.coded = aged;
  }
}

/** Builds each answer on first use, and reuses it. */
class AgedRepresentation implements Representation {
  readonly coding: NegotiableCoding;
  readonly mayBeCoded: boolean;
  readonly etag: string | undefined;
  readonly lastModifiedMs: number | undefined;
  readonly #ageless: Representation;
  readonly #fields: HeaderList;
  #full: Answer | undefined;
  #head: Answer | undefined;
  #notModified: Answer | undefined;

  constructor(ageless: Representation, fields: HeaderList) {
    this.coding = ageless.coding;
    this.mayBeCoded = ageless.mayBeCoded;
    this.etag = ageless.etag;
    this.lastModifiedMs = ageless.lastModifiedMs;
    this.#ageless = ageless;
    this.#fields = fields;
  }

  get full(): Answer {
    return (this.#full ??= withFields(this.#ageless.full, this.#fields));
  }

  get head(): Answer {
    return (this.#head ??= withFields(this.#ageless.head, this.#fields));
  }

  get notModified(): Answer {
    return (this.#notModified ??= withFields(this.#ageless.notModified, this.#fields));
  }
}

function withFields({ status, headers, body }: Answer, fields: HeaderList): Answer {
  return { status, headers: headers.concat(fields), body };
}
