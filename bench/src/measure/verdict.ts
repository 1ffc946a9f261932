import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { RawAnswer } from './request.ts';

/** Says what is wrong with an answer; undefined when it is right. */
export type Verdict = (answer: RawAnswer) => string | undefined;

function statusIs(answer: RawAnswer, status: number): string | undefined {
  return answer.status === status ? undefined : `status ${answer.status} instead of ${status}`;
}

/** The whole file, byte for byte, in no content encoding. */
export function isFile(bytes: Uint8Array): Verdict {
  return (answer) => {
    const wrong = statusIs(answer, 200);
    if (wrong !== undefined) return wrong;
    return answer.body.equals(bytes) ? undefined : `a body of ${answer.body.byteLength} bytes`;
  };
}

const DECODE: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

/** The whole file, in one content encoding. */
export function isFileIn(encoding: 'br' | 'gzip', bytes: Uint8Array): Verdict {
  return (answer) => {
    const wrong = statusIs(answer, 200);
    if (wrong !== undefined) return wrong;
    const actual = answer.headers['content-encoding'] ?? 'identity';
    if (actual !== encoding) return `in ${String(actual)} instead of ${encoding}`;
    return DECODE[encoding]!(answer.body).equals(bytes) ? undefined : 'other content than the file';
  };
}

/** A whole document that was rendered for this request, in one content encoding, or none. */
export function isRenderedPageIn(encoding: string | undefined): Verdict {
  return (answer) => {
    if (answer.headers['content-encoding'] !== encoding) return `not in ${encoding ?? 'identity'}`;
    const decode = encoding === undefined ? undefined : DECODE[encoding]!;
    return isRenderedPage(decode ? { ...answer, body: decode(answer.body) } : answer);
  };
}

/** A 304 without a body. */
export const isNotModified: Verdict = (answer) =>
  statusIs(answer, 304) ?? (answer.body.byteLength === 0 ? undefined : 'a 304 with a body');

/** A whole document that was rendered for this request. */
export const isRenderedPage: Verdict = (answer) => {
  const wrong = statusIs(answer, 200);
  if (wrong !== undefined) return wrong;
  const html = answer.body.toString();
  if (!html.trimEnd().endsWith('</html>')) return 'not a complete document';
  return /ng-server-context="[^"]*ssr/.test(html) ? undefined : 'not rendered on the server';
};
