import { entityTag } from '#etag';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import { type ContentEncoding, readAcceptEncoding } from '../http/accept-encoding.ts';
import { hasDirective } from '../http/cache-control.ts';
import type { DictionaryEncoding } from '../http/dictionary-encoding.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import { toHttpDate } from '../http/http-date.ts';
import { type Representation, toRepresentation } from '../answers/representation.ts';
import type { DictionaryForms } from '../answers/resource.ts';
import { answerWith } from '../answers/select.ts';
import { isCompressible } from '../http/content-type.ts';
import { evaluateFile, toSeconds } from './evaluate-file.ts';
import {
  FilePart,
  type FileState,
  isSameState,
  readComparedState,
  readFileState,
  readWholeFile,
  readWholeFileNow,
  type WholeFile,
} from './file-part.ts';
import { type FileContent, headersOf } from './file-headers.ts';
import type { Move } from './held-resource.ts';
import type { Encodable, EncodableContent } from './make-encodings.ts';
import { toSharedBytes } from '../shared-bytes.ts';
import { SharedRead } from './shared-read.ts';

/** The largest text file that is encoded. Encoding reads the whole file into memory. */
export const MOST_ENCODED_FILE_BYTES: number = 8 * 1024 * 1024;

/** What is known of a file's content. */
export interface LargeFileContent extends FileContent {
  /** Of a file of another build: the state in which its content was compared. It is answered in no other. */
  readonly compared?: FileState | undefined;
}

/** An encoding of a file as plain data. */
export interface WireEncoding {
  readonly encoding: ContentEncoding;
  readonly body: Uint8Array;
  readonly state: FileState;
}

/** A file as plain data, for other threads. */
export interface WireLargeFile {
  readonly path: string;
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly content: LargeFileContent;
  readonly encoded: readonly WireEncoding[];
}

/** An encoding of a file, with the state the file had. */
interface EncodedFile {
  readonly state: FileState;
  readonly representation: Representation;
}

/**
 * A built file that is not held: its name is known since start, and its current content is read from
 * disk for each answer. Encodings of text are held, and used as long as the file is unchanged.
 */
export class LargeFile implements Encodable {
  readonly path: string;
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly #encoded: { [encoding in ContentEncoding]?: EncodedFile } = {};
  readonly #withDictionary = new Map<string, DictionaryForms>();
  /** The state that {@link #withDictionary} was made of. */
  #stateOfForms: FileState | undefined;
  readonly #status: number;
  readonly #headers: HeaderList;
  readonly #isCompressible: boolean;
  readonly #content: LargeFileContent;
  #whole: SharedRead | undefined;
  #onEncoded: ((encoded: WireEncoding) => void) | undefined;

  constructor(path: string, absolutePath: string, sizeBytes: number, content: LargeFileContent) {
    this.#content = content;
    this.path = path;
    this.absolutePath = absolutePath;
    this.sizeBytes = sizeBytes;
    this.#status = content.status ?? 200;
    this.#isCompressible = isCompressible(content.contentType);
    this.#headers = headersOf(content);
  }

  /** @throws Error for a file that has grown too large, cannot be read, or changes while it is read. */
  async read(): Promise<EncodableContent | undefined> {
    try {
      const read = await readWholeFile(this.absolutePath, MOST_ENCODED_FILE_BYTES);
      return this.#toEncodable(read);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  readNow(): EncodableContent | undefined {
    try {
      return this.#toEncodable(readWholeFileNow(this.absolutePath, MOST_ENCODED_FILE_BYTES));
    } catch {
      return undefined;
    }
  }

  #toEncodable({ body, state }: WholeFile): EncodableContent {
    return {
      body,
      add: (encoding, encoded) => {
        const bytes = this.#onEncoded === undefined ? encoded : toSharedBytes(encoded);
        this.addEncoded({ encoding, body: bytes, state });
        this.#onEncoded?.({ encoding, body: bytes, state });
      },
      addWith: this.#content.forms && ((...form) => this.#addWith(state, ...form)),
    };
  }

  #addWith(
    state: FileState,
    dictionary: string,
    encoding: DictionaryEncoding,
    encoded: Uint8Array,
  ): void {
    const all = this.#withDictionary;
    if (this.#stateOfForms && !isSameState(this.#stateOfForms, state)) all.clear();
    this.#stateOfForms = state;
    const form = this.#represent(encoding, encoded, state);
    all.set(dictionary, { ...all.get(dictionary), [encoding]: form });
  }

  /** Adds an encoding that was made of the file in this state. */
  addEncoded({ encoding, body, state }: WireEncoding): void {
    this.#encoded[encoding] = { state, representation: this.#represent(encoding, body, state) };
  }

  /** The bytes that {@link share} moves. */
  bodies(): readonly Uint8Array[] {
    return Object.values(this.#encoded).map(({ representation }) => representation.full.body!);
  }

  /**
   * Moves its encodings into shared memory.
   *
   * @param move - Returns the same bytes there.
   * @param onEncoded - Called with each encoding that is added later.
   * @returns all of it as plain data: call it again for the encodings that were added.
   */
  share(move: Move, onEncoded: (encoded: WireEncoding) => void): WireLargeFile {
    this.#onEncoded = onEncoded;
    const { path, absolutePath, sizeBytes } = this;
    const encoded = Object.entries(this.#encoded).map(([name, { state, representation }]) => {
      const body = move(representation.full.body!);
      return { encoding: name as ContentEncoding, body, state };
    });
    for (const each of encoded) this.addEncoded(each);
    // A function stays in its thread.
    const forms = this.#content.forms && { ...this.#content.forms, choose: undefined };
    return { path, absolutePath, sizeBytes, content: { ...this.#content, forms }, encoded };
  }

  /**
   * The answer to a GET or HEAD: preconditions and ranges as for held files. Encodings are answered from
   * memory, if the file is unchanged since they were made.
   *
   * @param onError - Called with errors that occur while the content is sent.
   * @throws Error with the code of node:fs, if the file cannot be opened.
   */
  answer(exchange: Exchange, onError: (cause: unknown) => void): Promise<Answer | StreamedAnswer> {
    return this.#answer(exchange, onError);
  }

  /**
   * As {@link answer}, with the content read to its end. All that are asked for at the same time share one copy.
   *
   * @throws Error as there, and if it cannot be read.
   */
  async answerWhole(exchange: Exchange, onError: (cause: unknown) => void): Promise<Answer> {
    const answer = await this.#answer(exchange, onError);
    if (!('content' in answer)) return answer;
    const { status, headers, content } = answer;
    this.#whole ??= new SharedRead(this.absolutePath);
    return { status, headers, body: await this.#whole.part(content, onError) };
  }

  async #answer(
    exchange: Exchange,
    onError: (cause: unknown) => void,
  ): Promise<Answer | (StreamedAnswer & { readonly content: FilePart })> {
    const { compared } = this.#content;
    const state = await (compared === undefined
      ? readFileState(this.absolutePath)
      : readComparedState(this.absolutePath, compared));
    const encoded = this.#negotiate(state, exchange);
    if (encoded !== undefined) return answerWith(encoded, exchange);
    const own = this.#headersOf(state);
    const status = exchange.status !== 200 ? exchange.status : this.#status;
    const { sizeBytes, modifiedMs } = state;
    const content = { sizeBytes, modifiedMs, isCompressible: this.#isCompressible };
    const range = status === 200 ? evaluateFile(content, own, exchange) : undefined;
    if (range !== undefined && 'status' in range) return range;

    const { first, last } = range ?? { first: 0, last: state.sizeBytes - 1 };
    const lengthBytes = last + 1 - first;
    const headers = ['Content-Length', String(lengthBytes), ...own];
    if (range !== undefined) {
      headers.push('Content-Range', `bytes ${first}-${last}/${state.sizeBytes}`);
    }
    if (exchange.method === 'HEAD') return { status, headers, body: null };
    const path = this.absolutePath;
    const part = new FilePart({ path, first, lengthBytes, state, onError });
    return { status: range === undefined ? status : 206, headers, content: part };
  }

  /** The encoding that a client prefers, or undefined if that is identity. */
  #negotiate(state: FileState, exchange: Exchange): Representation | undefined {
    const accepted = readAcceptEncoding(exchange.header('accept-encoding'));
    const made = this.#stateOfForms;
    if (made !== undefined && isSameState(made, state)) {
      const forms = { encoded: {}, withDictionary: this.#withDictionary };
      const chosen = this.#content.forms?.choose?.(forms, accepted, exchange);
      if (chosen !== undefined) return chosen;
    }
    for (const encoding of accepted.encodings) {
      if (encoding === 'identity') return undefined;
      const encoded = this.#encoded[encoding];
      if (encoded !== undefined && isSameState(encoded.state, state)) return encoded.representation;
    }
    return undefined;
  }

  /** The tag is strong: it is made of the encoded bytes. */
  #represent(
    encoding: ContentEncoding | DictionaryEncoding,
    body: Uint8Array,
    { modifiedMs }: FileState,
  ): Representation {
    const headers = ['Content-Length', String(body.byteLength), ...this.#headers];
    headers.push('Content-Encoding', encoding);
    const isCacheable = !hasDirective(valueOf(this.#headers, 'cache-control'), 'no-store');
    const etag = isCacheable ? entityTag(body) : undefined;
    const lastModifiedMs = isCacheable ? toSeconds(modifiedMs) : undefined;
    if (etag !== undefined) headers.push('ETag', etag);
    if (lastModifiedMs !== undefined) headers.push('Last-Modified', toHttpDate(lastModifiedMs));
    headers.push('Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; hit; detail=file');
    return toRepresentation({
      encoding,
      mayBeEncoded: false,
      status: this.#status,
      headers,
      body,
      etag,
      lastModifiedMs,
    });
  }

  /** The tag is weak, since it is not made of the bytes (RFC 9110 section 8.8.1). */
  #headersOf({ sizeBytes, modifiedMs }: FileState): HeaderList {
    const headers = [...this.#headers];
    // With `no-store` there is no stored response to validate.
    if (!hasDirective(valueOf(headers, 'cache-control'), 'no-store')) {
      const etag = `W/"${sizeBytes.toString(36)}-${Math.floor(modifiedMs).toString(36)}"`;
      headers.push('ETag', etag, 'Last-Modified', toHttpDate(toSeconds(modifiedMs)));
    }
    headers.push('Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; fwd=bypass; detail=file');
    return headers;
  }
}
