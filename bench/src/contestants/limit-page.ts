import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** What both limits answer with: the page's bytes, its headers prebuilt, one look at two headers. */
export interface LimitPage {
  readonly identity: {
    readonly body: Uint8Array<ArrayBuffer>;
    readonly headers: [string, string][];
  };
  readonly brotli: { readonly body: Uint8Array<ArrayBuffer>; readonly headers: [string, string][] };
  readonly notModified: { readonly headers: [string, string][] };
  readonly etag: string;
}

/** Prepares the page named by the first argument of the program. */
export function readLimitPage(): LimitPage {
  const file = process.argv[2] ?? '';
  const body = new Uint8Array(readFileSync(file));
  const encoded = new Uint8Array(
    existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : brotliCompressSync(body),
  );
  const etag = '"0123456789a"';
  const validators: [string, string][] = [
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept-Encoding'],
    ['ETag', etag],
    ['Cache-Status', 'ng-ssr; hit'],
  ];
  const whole = (bytes: Uint8Array): [string, string][] => [
    ['Content-Length', String(bytes.byteLength)],
    ['Content-Type', `text/${file.endsWith('.js') ? 'javascript' : 'html'}; charset=utf-8`],
    ...validators,
    ['Last-Modified', 'Fri, 20 Nov 2026 12:00:00 GMT'],
    ['Accept-Ranges', 'bytes'],
  ];
  return {
    identity: { body, headers: whole(body) },
    brotli: { body: encoded, headers: [...whole(encoded), ['Content-Encoding', 'br']] },
    notModified: { headers: validators },
    etag,
  };
}
