import { underStatus } from '../../answers/representation.ts';
import type { Answer, Exchange, StreamedAnswer, StreamedContent } from '../../exchange.ts';
import type { UnheldFile } from '../answer-file.ts';
import { evaluateFile } from '../evaluate-file.ts';
import type { AssetEntry } from './build-manifest.ts';

/**
 * Asks the platform for a file.
 *
 * @param path - Below the browser folder, with `/` in front.
 * @param range - The part that is wanted; undefined for all of it.
 */
export type FetchAsset = (
  path: string,
  range: { readonly first: number; readonly last: number } | undefined,
  exchange: Exchange,
) => Promise<Response>;

/** A built file whose content the platform keeps. Its tag and size are known: a 304 and a 416 need no content. */
export class AssetFile implements UnheldFile {
  readonly absolutePath: string;
  /** Below the browser folder, with `/` in front. */
  readonly path: string;
  readonly #entry: AssetEntry;
  readonly #fetchAsset: FetchAsset;

  constructor(entry: AssetEntry, fetchAsset: FetchAsset) {
    this.absolutePath = this.path = entry.path;
    this.#entry = entry;
    this.#fetchAsset = fetchAsset;
  }

  async answer(exchange: Exchange): Promise<Answer | StreamedAnswer> {
    const { path, headers: own, sizeBytes } = this.#entry;
    const status = exchange.status !== 200 ? exchange.status : this.#entry.status;
    const range = status === 200 ? evaluateFile(this.#entry, own, exchange) : undefined;
    if (range !== undefined && 'status' in range) return range;
    if (exchange.method === 'HEAD') {
      const headers = ['Content-Length', String(sizeBytes), ...own];
      return underStatus({ status, headers, body: null }, status, true);
    }

    const isAll = range?.first === 0 && range.last === sizeBytes - 1;
    const response = await this.#fetchAsset(path, isAll ? undefined : range, exchange);
    const { body } = response;
    if (response.status !== 200 && response.status !== 206) {
      await body?.cancel();
      const code = response.status === 404 ? 'ENOENT' : undefined;
      const message = `the platform responded to ${path} with ${response.status}`;
      throw Object.assign(new Error(message), { code });
    }
    // A platform may ignore the range (RFC 9110 section 14.2).
    const isPart = range !== undefined && (isAll || response.status === 206);
    const headers = [...own];
    if (isPart) headers.push('Content-Range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
    const encoding = response.headers.get('content-encoding');
    const lengthBytes = isPart ? range.last + 1 - range.first : sizeBytes;
    // How long content is that the platform has encoded is for it to say.
    if (encoding === null) headers.push('Content-Length', String(lengthBytes));
    else headers.push('Content-Encoding', encoding);
    const sent = isPart ? 206 : status;
    if (body === null) return { status: sent, headers, body };
    return {
      status: sent,
      headers,
      content: new AssetContent(path, range?.first ?? 0, lengthBytes, body),
    };
  }
}

/** The content of a file as the platform sends it. */
export class AssetContent implements StreamedContent {
  readonly path: string;
  readonly first: number;
  /** Of the content as it is in the build: the platform may encode it. */
  readonly lengthBytes: number;
  /** To be passed to the platform as it is, which copies no bytes then. */
  readonly stream: ReadableStream<Uint8Array>;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(
    path: string,
    first: number,
    lengthBytes: number,
    stream: ReadableStream<Uint8Array>,
  ) {
    this.path = path;
    this.first = first;
    this.lengthBytes = lengthBytes;
    this.stream = stream;
  }

  async read(): Promise<Uint8Array | undefined> {
    this.#reader ??= this.stream.getReader();
    return (await this.#reader.read()).value;
  }

  async close(): Promise<void> {
    await (this.#reader ?? this.stream).cancel();
  }
}
