import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import zlib from 'node:zlib';

/** What the API does with a request: the member `do` of its query, as JSON. */
export interface Answering {
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly text?: string;
  /** Each encodes the content of the one before it. */
  readonly encodings?: readonly Encoding[];
  /** How many bytes at the end of the encoded content are missing. */
  readonly cut?: number;
  /** Whether the content has a Content-Length. */
  readonly isSized?: boolean;
  /** Whether the content is written in parts, each some turns of the event loop after the one before. */
  readonly isInParts?: boolean;
  /** Whether 103 (Early Hints) comes first. */
  readonly hasHints?: boolean;
  /** `hung`: nothing is sent. `open`: the content does not end. `half`: the connection breaks within the content. */
  readonly ending?: 'hung' | 'open' | 'half' | 'reset';
  /** Where a redirect leads; `other` is another origin. */
  readonly next?: Answering;
  readonly location?: 'same' | 'other' | 'none' | 'credentials' | 'scheme' | 'malformed';
}

export type Encoding = 'gzip' | 'x-gzip' | 'deflate' | 'raw deflate' | 'br' | 'zstd' | 'unknown';

/** A request as the API has received it. */
export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  /** Undefined if it did not arrive whole. */
  readonly content: string | undefined;
}

const ENCODE: Record<Encoding, (content: Buffer) => Buffer> = {
  gzip: (content) => zlib.gzipSync(content),
  'x-gzip': (content) => zlib.gzipSync(content),
  deflate: (content) => zlib.deflateSync(content),
  'raw deflate': (content) => zlib.deflateRawSync(content),
  br: (content) => zlib.brotliCompressSync(content),
  zstd: (content) => zlib.zstdCompressSync(content),
  unknown: (content) => content,
};

const BOUNDARY = /----formdata-undici-\d+/g;

/** The requests of each call, by the member `id` of their query. */
export class Api {
  readonly #received = new Map<string, Received[]>();
  readonly #watchers = new Map<string, () => void>();
  readonly #open = new Set<ServerResponse>();
  readonly #other: () => string;

  /** @param other - The origin of the same server under another name. */
  constructor(other: () => string) {
    this.#other = other;
  }

  of(id: string): readonly Received[] {
    return this.#received.get(id) ?? [];
  }

  /** Resolves when the first request of a call has arrived with its content, or has failed. */
  arrived(id: string): Promise<void> {
    return new Promise((resolve) => this.#watchers.set(id, resolve));
  }

  /** Ends the responses that would not end. */
  close(): void {
    for (const response of this.#open) response.destroy();
  }

  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, 'http://api');
    const id = url.searchParams.get('id')!;
    const { method = '', rawHeaders } = request;
    const target = request.url!.replaceAll(id, 'ID');
    // The boundary of a form is random.
    const headers = rawHeaders.map((text) => text.replace(BOUNDARY, 'BOUNDARY'));
    const entry = { method, target, headers, content: undefined as string | undefined };
    const list = this.#received.get(id) ?? [];
    this.#received.set(id, [...list, entry]);
    this.#open.add(response.on('error', () => {}).once('close', () => this.#open.delete(response)));
    try {
      entry.content = await contentOf(request);
    } catch {
      return;
    } finally {
      this.#watchers.get(id)?.();
    }
    this.#respond(JSON.parse(url.searchParams.get('do')!) as Answering, id, request, response);
  };

  #respond(
    answering: Answering,
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { status = 200, reason, headers = [], text = '', encodings = [], cut = 0 } = answering;
    const { ending, isSized, hasHints, location } = answering;
    if (ending === 'hung') return;
    if (ending === 'reset') return void request.socket.destroy();
    if (hasHints) response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
    let content: Buffer = Buffer.from(text);
    for (const encoding of encodings) content = ENCODE[encoding](content);
    content = content.subarray(0, content.byteLength - cut);
    for (const [name, value] of headers) response.appendHeader(name, value);
    const named = encodings.map((encoding) => (encoding === 'raw deflate' ? 'deflate' : encoding));
    if (named.length > 0) response.setHeader('content-encoding', named.join(', '));
    const to = this.#location(answering, id);
    if (location !== undefined && to !== undefined) response.setHeader('location', to);
    if (isSized || ending === 'half') {
      response.setHeader('content-length', content.byteLength + (ending === 'half' ? 10 : 0));
    }
    response.removeHeader('date');
    response.sendDate = false;
    if (reason === undefined) response.writeHead(status);
    else response.writeHead(status, reason);
    if (ending === 'open') {
      response.flushHeaders();
      return void response.write(content);
    }
    if (ending !== 'half') {
      return answering.isInParts ? void endInParts(response, content) : void response.end(content);
    }
    response.write(content, () => setImmediate(() => request.socket.destroy()));
  }

  #location({ location, next = {} }: Answering, id: string): string | undefined {
    const path = `/api/next?id=${id}&do=${encodeURIComponent(JSON.stringify(next))}`;
    switch (location) {
      case 'same':
        return `${path}#part`;
      case 'other':
        return this.#other() + path;
      case 'credentials':
        return this.#other().replace('://', '://user:secret@') + path;
      case 'scheme':
        return 'data:text/plain,moved';
      case 'malformed':
        return 'http://[';
      default:
        return undefined;
    }
  }
}

async function endInParts(response: ServerResponse, content: Buffer): Promise<void> {
  const { byteLength } = content;
  const buffer = Buffer.alloc(Math.ceil(byteLength / 3));
  for (let at = 0; at < byteLength && !response.destroyed; at += buffer.byteLength) {
    const part = buffer.subarray(0, content.copy(buffer, 0, at));
    // Either the buffer is free again once the part is written, or the next part comes while this one is unread.
    if (response.hasHeader('content-length')) {
      await new Promise<unknown>((resolve) => {
        response.write(part, resolve);
        response.once('close', resolve);
      });
    } else response.write(Buffer.from(part));
    await turn();
  }
  response.end();
}

async function contentOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const content = Buffer.concat(chunks);
  const same = content.toString('latin1').replaceAll(BOUNDARY, 'BOUNDARY');
  const digest = createHash('sha256').update(same).digest('hex');
  return same.length < 300 ? same : `${same.length} characters, ${digest}`;
}
