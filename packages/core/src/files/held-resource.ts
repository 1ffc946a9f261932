import { entityTag } from '#etag';
import type { ContentEncoding, NegotiableEncoding } from '../http/accept-encoding.ts';
import { hasDirective } from '../http/cache-control.ts';
import type { DictionaryEncoding } from '../http/dictionary-encoding.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import { toHttpDate } from '../http/http-date.ts';
import { type Representation, toRepresentation, withBody } from '../answers/representation.ts';
import type { Fill } from '../answers/fill.ts';
import type { Choose, DictionaryForms } from '../answers/resource.ts';
import type { Answer } from '../exchange.ts';
import { isCompressible } from '../http/content-type.ts';
import { toSharedBytes } from '../shared-bytes.ts';
import type { BuiltResource } from './built-resource.ts';
import { type FileContent, headersOf } from './file-headers.ts';
import type { Encodable, EncodableContent } from './make-encodings.ts';

/** As `PageTrait.fillOf`, for all traits of a server. */
export type FillOf = (answer: Answer) => Fill | undefined;

/** Returns the same bytes in other memory. */
export type Move = (bytes: Uint8Array) => Uint8Array;

/** A built page or file held in memory, in identity and in the encodings made so far. */
export class HeldResource implements BuiltResource, Encodable {
  readonly path: string;
  body: Uint8Array;
  identity: Representation;
  unencoded: Representation;
  readonly encoded: { [encoding in ContentEncoding]?: Representation } = {};
  readonly isEncoded: boolean;
  readonly withDictionary: Map<string, DictionaryForms> | undefined;
  readonly choose: Choose | undefined;
  readonly fill: Fill | undefined;
  readonly #status: number;
  readonly #lastModifiedMs: number | undefined;
  readonly #headers: HeaderList;
  readonly #headersOfForms: HeaderList;
  readonly #isCacheable: boolean;
  #onEncoded: ((encoded: Representation) => void) | undefined;

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
    const { isEncoded } = content;
    this.isEncoded = isEncoded;
    this.#status = content.status ?? 200;
    const headers = headersOf(content);
    const forms = isEncoded ? content.forms : undefined;
    this.withDictionary = forms && new Map();
    this.choose = forms?.choose;
    // With `no-store` there is no stored response to validate.
    this.#isCacheable = !hasDirective(valueOf(headers, 'cache-control'), 'no-store');
    this.#lastModifiedMs = this.#isCacheable ? content.modifiedMs : undefined;
    this.#headers = headers;
    this.#headersOfForms = forms ? headersOf(content, true) : headers;
    this.identity = this.#represent('identity', body);
    this.unencoded = isCompressible(content.contentType)
      ? this.#represent('identity', body, true)
      : this.identity;
    this.fill = content.fillOf?.(this.identity.full);
  }

  get sizeBytes(): number {
    return this.body.byteLength;
  }

  /** Encodings that are added are negotiated from then on. */
  read(): Promise<EncodableContent> {
    return Promise.resolve(this.readNow());
  }

  readNow(): EncodableContent {
    return {
      body: this.body,
      add: (encoding, encoded) => {
        const bytes = this.#onEncoded === undefined ? encoded : toSharedBytes(encoded);
        const representation = this.#represent(encoding, bytes);
        this.encoded[encoding] = representation;
        this.#onEncoded?.(representation);
      },
      addWith:
        this.withDictionary &&
        ((dictionary, encoding, encoded) => this.addWith(dictionary, encoding, encoded)),
    };
  }

  /** Adds the content encoded against a dictionary; null if it is being made, or not worth its memory. */
  addWith(dictionary: string, encoding: DictionaryEncoding, encoded: Uint8Array | null): void {
    const form = encoded && this.#represent(encoding, encoded, false, this.#headersOfForms);
    const others = this.withDictionary?.get(dictionary);
    this.withDictionary?.set(dictionary, { ...others, [encoding]: form });
  }

  /** The bytes that {@link share} moves. */
  bodies(): readonly Uint8Array[] {
    return [this.body, ...Object.values(this.encoded).map(({ full }) => full.body!)];
  }

  /**
   * Moves its bytes into shared memory.
   *
   * @param move - Returns the same bytes there.
   * @param onEncoded - Called with each encoding that is added later.
   */
  share(move: Move, onEncoded: (encoded: Representation) => void): void {
    this.#onEncoded = onEncoded;
    this.body = move(this.body);
    const isOne = this.unencoded === this.identity;
    this.identity = withBody(this.identity, this.body);
    this.unencoded = isOne ? this.identity : withBody(this.unencoded, this.body);
    for (const [encoding, encoded] of Object.entries(this.encoded)) {
      const body = move(encoded.full.body!);
      this.encoded[encoding as ContentEncoding] = withBody(encoded, body);
    }
  }

  #represent(
    encoding: NegotiableEncoding | DictionaryEncoding,
    body: Uint8Array,
    mayBeEncoded = false,
    own = this.#headers,
  ): Representation {
    const tag = this.#isCacheable ? entityTag(body) : undefined;
    const etag = tag !== undefined && mayBeEncoded ? `W/${tag}` : tag;
    const headers = ['Content-Length', String(body.byteLength), ...own];
    if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
    if (etag !== undefined) headers.push('ETag', etag);
    if (this.#lastModifiedMs !== undefined) {
      headers.push('Last-Modified', toHttpDate(this.#lastModifiedMs));
    }
    headers.push('Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; hit');
    return toRepresentation({
      encoding,
      mayBeEncoded,
      status: this.#status,
      headers,
      body,
      etag,
      lastModifiedMs: this.#lastModifiedMs,
    });
  }
}
