import { entityTag } from '#etag';
import type { Answer, Exchange, FileAnswer } from '../exchange.ts';
import { type ContentCoding, readAcceptEncoding } from '../http/accept-encoding.ts';
import { hasDirective } from '../http/cache-control.ts';
import type { DictionaryCoding } from '../http/dictionary-coding.ts';
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
import { type FileContent, fieldsOf } from './file-fields.ts';
import type { Codable, CodableContent } from './make-codings.ts';
import { toSharedBytes } from '../shared-bytes.ts';
import { SharedRead } from './shared-read.ts';

/** The largest text file that is coded. Coding reads the whole file into memory. */
export const MOST_CODED_FILE_BYTES: number = 8 * 1024 * 1024;

/** What is known of a file's content. */
export interface LargeFileContent extends FileContent {
  /** Of a file of another build: the state in which its content was compared. It is answered in no other. */
  readonly compared?: FileState | undefined;
}

/** A coding of a file as plain data. */
export interface PlainCoding {
  readonly coding: ContentCoding;
  readonly body: Uint8Array;
  readonly state: FileState;
}

/** A file as plain data, for other threads. */
export interface PlainLargeFile {
  readonly path: string;
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly content: LargeFileContent;
  readonly coded: readonly PlainCoding[];
}

/** A coding of a file, with the state the file had. */
interface CodedFile {
  readonly state: FileState;
  readonly representation: Representation;
}

/**
 * A built file that is not held: its name is known since start, and its current content is read from
 * disk for each answer. Codings of text are held, and used as long as the file is unchanged.
 */
export class LargeFile implements Codable {
  readonly path: string;
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly #coded: { [coding in ContentCoding]?: CodedFile } = {};
  readonly #withDictionary = new Map<string, DictionaryForms>();
  /** The state that {@link #withDictionary} was made of. */
  #stateOfForms: FileState | undefined;
  readonly #status: number;
  readonly #fields: HeaderList;
  readonly #isCompressible: boolean;
  readonly #content: LargeFileContent;
  #whole: SharedRead | undefined;
  #onCoded: ((coded: PlainCoding) => void) | undefined;

  constructor(path: string, absolutePath: string, sizeBytes: number, content: LargeFileContent) {
    this.#content = content;
    this.path = path;
    this.absolutePath = absolutePath;
    this.sizeBytes = sizeBytes;
    this.#status = content.status ?? 200;
    this.#isCompressible = isCompressible(content.contentType);
    this.#fields = fieldsOf(content);
  }

  /** @throws Error for a file that has grown too large, cannot be read, or changes while it is read. */
  async read(): Promise<CodableContent | undefined> {
    try {
      const read = await readWholeFile(this.absolutePath, MOST_CODED_FILE_BYTES);
      return this.#toCodable(read);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  readNow(): CodableContent | undefined {
    try {
      return this.#toCodable(readWholeFileNow(this.absolutePath, MOST_CODED_FILE_BYTES));
    } catch {
      return undefined;
    }
  }

  #toCodable({ body, state }: WholeFile): CodableContent {
    return {
      body,
      add: (coding, coded) => {
        const bytes = this.#onCoded === undefined ? coded : toSharedBytes(coded);
        this.addCoded({ coding, body: bytes, state });
        this.#onCoded?.({ coding, body: bytes, state });
      },
      addWith: this.#content.forms && ((...form) => this.#addWith(state, ...form)),
    };
  }

  #addWith(
    state: FileState,
    dictionary: string,
    coding: DictionaryCoding,
    coded: Uint8Array,
  ): void {
    const all = this.#withDictionary;
    if (this.#stateOfForms && !isSameState(this.#stateOfForms, state)) all.clear();
    this.#stateOfForms = state;
    const form = this.#represent(coding, coded, state);
    all.set(dictionary, { ...all.get(dictionary), [coding]: form });
  }

  /** Adds a coding that was made of the file in this state. */
  addCoded({ coding, body, state }: PlainCoding): void {
    this.#coded[coding] = { state, representation: this.#represent(coding, body, state) };
  }

  /**
   * Moves its codings into shared memory.
   *
   * @param onCoded - Called with each coding that is added later.
   * @returns all of it as plain data: call it again for the codings that were added.
   */
  share(onCoded: (coded: PlainCoding) => void): PlainLargeFile {
    this.#onCoded = onCoded;
    const { path, absolutePath, sizeBytes } = this;
    const coded = Object.entries(this.#coded).map(([name, { state, representation }]) => {
      const body = toSharedBytes(representation.full.body!);
      return { coding: name as ContentCoding, body, state };
    });
    for (const each of coded) this.addCoded(each);
    // A function stays in its thread.
    const forms = this.#content.forms && { ...this.#content.forms, choose: undefined };
    return { path, absolutePath, sizeBytes, content: { ...this.#content, forms }, coded };
  }

  /**
   * The answer to a GET or HEAD: preconditions and ranges as for held files. Codings are answered from
   * memory, if the file is unchanged since they were made.
   *
   * @param onError - Called with errors that occur while the content is sent.
   * @throws Error with the code of node:fs, if the file cannot be opened.
   */
  answer(exchange: Exchange, onError: (cause: unknown) => void): Promise<Answer | FileAnswer> {
    return this.#answer(exchange, onError);
  }

  /**
   * As {@link answer}, with the content read to its end. All that are asked for at the same time share one copy.
   *
   * @throws Error as there, and if it cannot be read.
   */
  async answerWhole(exchange: Exchange, onError: (cause: unknown) => void): Promise<Answer> {
    const answer = await this.#answer(exchange, onError);
    if (!('file' in answer)) return answer;
    const { status, headers, file } = answer;
    this.#whole ??= new SharedRead(this.absolutePath);
    return { status, headers, body: await this.#whole.part(file, onError) };
  }

  async #answer(
    exchange: Exchange,
    onError: (cause: unknown) => void,
  ): Promise<Answer | (FileAnswer & { readonly file: FilePart })> {
    const { compared } = this.#content;
    const state = await (compared === undefined
      ? readFileState(this.absolutePath)
      : readComparedState(this.absolutePath, compared));
    const coded = this.#negotiate(state, exchange);
    if (coded !== undefined) return answerWith(coded, exchange);
    const fields = this.#fieldsOf(state);
    const status = exchange.status !== 200 ? exchange.status : this.#status;
    const { sizeBytes, modifiedMs } = state;
    const content = { sizeBytes, modifiedMs, isCompressible: this.#isCompressible };
    const range = status === 200 ? evaluateFile(content, fields, exchange) : undefined;
    if (range !== undefined && 'status' in range) return range;

    const { first, last } = range ?? { first: 0, last: state.sizeBytes - 1 };
    const lengthBytes = last + 1 - first;
    const headers = ['Content-Length', String(lengthBytes), ...fields];
    if (range !== undefined) {
      headers.push('Content-Range', `bytes ${first}-${last}/${state.sizeBytes}`);
    }
    if (exchange.method === 'HEAD') return { status, headers, body: null };
    const path = this.absolutePath;
    const file = new FilePart({ path, first, lengthBytes, state, onError });
    return { status: range === undefined ? status : 206, headers, file };
  }

  /** The coding that a client prefers, or undefined if that is identity. */
  #negotiate(state: FileState, exchange: Exchange): Representation | undefined {
    const accepted = readAcceptEncoding(exchange.header('accept-encoding'));
    const made = this.#stateOfForms;
    if (made !== undefined && isSameState(made, state)) {
      const forms = { coded: {}, withDictionary: this.#withDictionary };
      const chosen = this.#content.forms?.choose?.(forms, accepted, exchange);
      if (chosen !== undefined) return chosen;
    }
    for (const coding of accepted.codings) {
      if (coding === 'identity') return undefined;
      const coded = this.#coded[coding];
      if (coded !== undefined && isSameState(coded.state, state)) return coded.representation;
    }
    return undefined;
  }

  /** The tag is strong: it is made of the coded bytes. */
  #represent(
    coding: ContentCoding | DictionaryCoding,
    body: Uint8Array,
    { modifiedMs }: FileState,
  ): Representation {
    const headers = ['Content-Length', String(body.byteLength), ...this.#fields];
    headers.push('Content-Encoding', coding);
    const isCacheable = !hasDirective(valueOf(this.#fields, 'cache-control'), 'no-store');
    const etag = isCacheable ? entityTag(body) : undefined;
    const lastModifiedMs = isCacheable ? toSeconds(modifiedMs) : undefined;
    if (etag !== undefined) headers.push('ETag', etag);
    if (lastModifiedMs !== undefined) headers.push('Last-Modified', toHttpDate(lastModifiedMs));
    headers.push('Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; hit; detail=file');
    return toRepresentation({
      coding,
      mayBeCoded: false,
      status: this.#status,
      headers,
      body,
      etag,
      lastModifiedMs,
    });
  }

  /** The tag is weak, since it is not made of the bytes (RFC 9110 section 8.8.1). */
  #fieldsOf({ sizeBytes, modifiedMs }: FileState): HeaderList {
    const fields = [...this.#fields];
    // With `no-store` there is no stored response to validate.
    if (!hasDirective(valueOf(fields, 'cache-control'), 'no-store')) {
      const etag = `W/"${sizeBytes.toString(36)}-${Math.floor(modifiedMs).toString(36)}"`;
      fields.push('ETag', etag, 'Last-Modified', toHttpDate(toSeconds(modifiedMs)));
    }
    fields.push('Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; fwd=bypass; detail=file');
    return fields;
  }
}
