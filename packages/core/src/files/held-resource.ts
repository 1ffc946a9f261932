import { entityTag } from '#etag';
import type { ContentCoding, NegotiableCoding } from '../http/accept-encoding.ts';
import { hasDirective } from '../http/cache-control.ts';
import type { DictionaryCoding } from '../http/dictionary-coding.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import { toHttpDate } from '../http/http-date.ts';
import { type Representation, toRepresentation, withBody } from '../answers/representation.ts';
import type { Fill } from '../answers/fill.ts';
import type { Choose, DictionaryForms } from '../answers/resource.ts';
import type { Answer } from '../exchange.ts';
import { isCompressible } from '../http/content-type.ts';
import { toSharedBytes } from '../shared-bytes.ts';
import type { BuiltResource } from './built-resource.ts';
import { type FileContent, fieldsOf } from './file-fields.ts';
import type { Codable, CodableContent } from './make-codings.ts';

/** As `PageTrait.fillOf`, for all traits of a server. */
export type FillOf = (answer: Answer) => Fill | undefined;

/** A built page or file held in memory, in identity and in the codings made so far. */
export class HeldResource implements BuiltResource, Codable {
  readonly path: string;
  body: Uint8Array;
  identity: Representation;
  uncoded: Representation;
  readonly coded: { [coding in ContentCoding]?: Representation } = {};
  readonly isCoded: boolean;
  readonly withDictionary: Map<string, DictionaryForms> | undefined;
  readonly choose: Choose | undefined;
  readonly fill: Fill | undefined;
  readonly #status: number;
  readonly #lastModifiedMs: number | undefined;
  readonly #fields: HeaderList;
  readonly #isCacheable: boolean;
  #onCoded: ((coded: Representation) => void) | undefined;

  /**
   * @param content.modifiedMs - Undefined if the content depends on more than a file.
   * @param content.fillOf - How each client gets an answer of its own, made of this one.
   */
  constructor(
    path: string,
    body: Uint8Array,
    content: FileContent & {
      readonly modifiedMs: number | undefined;
      readonly fillOf?: FillOf | undefined;
    },
  ) {
    this.path = path;
    this.body = body;
    this.isCoded = content.isCoded;
    this.#status = content.status ?? 200;
    const fields = fieldsOf(content);
    const forms = content.isCoded ? content.forms : undefined;
    this.withDictionary = forms && new Map();
    this.choose = forms?.choose;
    // With `no-store` there is no stored response to validate.
    this.#isCacheable = !hasDirective(valueOf(fields, 'cache-control'), 'no-store');
    this.#lastModifiedMs = this.#isCacheable ? content.modifiedMs : undefined;
    this.#fields = fields;
    this.identity = this.#represent('identity', body);
    this.uncoded = isCompressible(content.contentType)
      ? this.#represent('identity', body, true)
      : this.identity;
    this.fill = content.fillOf?.(this.identity.full);
  }

  get sizeBytes(): number {
    return this.body.byteLength;
  }

  /** Codings that are added are negotiated from then on. */
  read(): Promise<CodableContent> {
    return Promise.resolve(this.readNow());
  }

  readNow(): CodableContent {
    return {
      body: this.body,
      add: (coding, coded) => {
        const bytes = this.#onCoded === undefined ? coded : toSharedBytes(coded);
        const representation = this.#represent(coding, bytes);
        this.coded[coding] = representation;
        this.#onCoded?.(representation);
      },
      addWith:
        this.withDictionary &&
        ((dictionary, coding, coded) => this.addWith(dictionary, coding, coded)),
    };
  }

  /** Adds the content coded against a dictionary; null if it is being made, or not worth its memory. */
  addWith(dictionary: string, coding: DictionaryCoding, coded: Uint8Array | null): void {
    const forms = this.withDictionary?.get(dictionary);
    const form = coded && this.#represent(coding, coded);
    this.withDictionary?.set(dictionary, { ...forms, [coding]: form });
  }

  /**
   * Moves its bytes into shared memory.
   *
   * @param onCoded - Called with each coding that is added later.
   */
  share(onCoded: (coded: Representation) => void): void {
    this.#onCoded = onCoded;
    this.body = toSharedBytes(this.body);
    const isOne = this.uncoded === this.identity;
    this.identity = withBody(this.identity, this.body);
    this.uncoded = isOne ? this.identity : withBody(this.uncoded, this.body);
    for (const [coding, coded] of Object.entries(this.coded)) {
      this.coded[coding as ContentCoding] = withBody(coded, toSharedBytes(coded.full.body!));
    }
  }

  #represent(
    coding: NegotiableCoding | DictionaryCoding,
    body: Uint8Array,
    mayBeCoded = false,
  ): Representation {
    const tag = this.#isCacheable ? entityTag(body) : undefined;
    const etag = tag !== undefined && mayBeCoded ? `W/${tag}` : tag;
    const headers = ['Content-Length', String(body.byteLength), ...this.#fields];
    if (coding !== 'identity') headers.push('Content-Encoding', coding);
    if (etag !== undefined) headers.push('ETag', etag);
    if (this.#lastModifiedMs !== undefined) {
      headers.push('Last-Modified', toHttpDate(this.#lastModifiedMs));
    }
    headers.push('Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; hit');
    return toRepresentation({
      coding,
      mayBeCoded,
      status: this.#status,
      headers,
      body,
      etag,
      lastModifiedMs: this.#lastModifiedMs,
    });
  }
}
