/** How a response's content was delimited (RFC 9112 section 6.3). */
export type Framing = 'none' | 'content-length' | 'chunked' | 'close';

/** The parts of a response, as received. */
export interface ParsedResponse {
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  /** The headers in the order received, names as received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly framing: Framing;
}

/** A response found at the start of a buffer, and how many bytes it took. */
export interface ParsedStart {
  readonly response: ParsedResponse;
  readonly consumed: number;
}

/**
 * Reads the first final response in a buffer; earlier interim (1xx) responses are skipped.
 *
 * @param bytes - What has arrived so far.
 * @param method - The method of the request it answers: HEAD has no content.
 * @param ended - Whether the connection has ended, which delimits content without a length.
 * @returns The response, or null while bytes are missing.
 * @throws Error on bytes that are no HTTP/1 response.
 */
export function parseResponse(bytes: Buffer, method: string, ended: boolean): ParsedStart | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const start = /^(HTTP\/1\.[01]) (\d{3}) ?(.*)$/.exec(statusLine);
  if (!start) throw new Error(`Not a status line: ${JSON.stringify(statusLine)}.`);
  const status = Number(start[2]);
  const contentStart = headEnd + 4;
  if (status < 200) {
    const next = parseResponse(bytes.subarray(contentStart), method, ended);
    return next && { response: next.response, consumed: contentStart + next.consumed };
  }
  const headers = lines.map(parseHeader);
  const content = readContent(bytes.subarray(contentStart), headers, status, method, ended);
  if (!content) return null;
  const { body, framing, consumed } = content;
  return {
    response: { version: start[1] ?? '', status, reason: start[3] ?? '', headers, body, framing },
    consumed: contentStart + consumed,
  };
}

function parseHeader(line: string): readonly [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
  if (!match) throw new Error(`Not a header line: ${JSON.stringify(line)}.`);
  return [match[1] ?? '', match[2] ?? ''];
}

interface Content {
  readonly body: Buffer;
  readonly framing: Framing;
  readonly consumed: number;
}

function readContent(
  bytes: Buffer,
  headers: readonly (readonly [string, string])[],
  status: number,
  method: string,
  ended: boolean,
): Content | null {
  if (method === 'HEAD' || status === 204 || status === 304) {
    return { body: Buffer.alloc(0), framing: 'none', consumed: 0 };
  }
  const values = (name: string) =>
    headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value);
  if (values('transfer-encoding').join().toLowerCase().endsWith('chunked')) {
    return readChunks(bytes);
  }
  const lengths = new Set(values('content-length'));
  if (lengths.size > 1)
    throw new Error(`The content has different lengths: ${[...lengths].join()}.`);
  const [length] = lengths;
  if (length !== undefined) {
    const size = Number(length);
    if (!/^\d+$/.test(length)) throw new Error(`Not a Content-Length: ${length}.`);
    if (bytes.length < size) return null;
    return { body: bytes.subarray(0, size), framing: 'content-length', consumed: size };
  }
  return ended ? { body: bytes, framing: 'close', consumed: bytes.length } : null;
}

function readChunks(bytes: Buffer): Content | null {
  const chunks: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', offset);
    if (lineEnd < 0) return null;
    const line = bytes.toString('latin1', offset, lineEnd);
    if (!/^[0-9a-f]+(;.*)?$/i.test(line)) {
      throw new Error(`Not a chunk size: ${JSON.stringify(line)}.`);
    }
    const size = parseInt(line, 16);
    if (size === 0) break;
    if (bytes.length < lineEnd + 4 + size) return null;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    offset = lineEnd + 4 + size;
  }
  const trailerEnd = bytes.indexOf('\r\n\r\n', offset);
  if (trailerEnd < 0) return null;
  return { body: Buffer.concat(chunks), framing: 'chunked', consumed: trailerEnd + 4 };
}
