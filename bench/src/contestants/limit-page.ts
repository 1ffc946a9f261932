import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** What both limits answer with: the page's bytes, its fields prebuilt, one look at two fields. */
export interface LimitPage {
  readonly identity: {
    readonly body: Uint8Array<ArrayBuffer>;
    readonly fields: [string, string][];
  };
  readonly brotli: { readonly body: Uint8Array<ArrayBuffer>; readonly fields: [string, string][] };
  readonly notModified: { readonly fields: [string, string][] };
  readonly etag: string;
}

/** Prepares the page named by the first argument of the program. */
export function readLimitPage(): LimitPage {
  const body = new Uint8Array(readFileSync(process.argv[2] ?? ''));
  const coded = new Uint8Array(brotliCompressSync(body));
  const etag = '"0123456789a"';
  const validators: [string, string][] = [
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept-Encoding'],
    ['ETag', etag],
    ['Cache-Status', 'ng-ssr; hit'],
  ];
  const whole = (bytes: Uint8Array): [string, string][] => [
    ['Content-Length', String(bytes.byteLength)],
    ['Content-Type', 'text/html; charset=utf-8'],
    ...validators,
    ['Last-Modified', 'Fri, 20 Nov 2026 12:00:00 GMT'],
    ['Accept-Ranges', 'bytes'],
  ];
  return {
    identity: { body, fields: whole(body) },
    brotli: { body: coded, fields: [...whole(coded), ['Content-Encoding', 'br']] },
    notModified: { fields: validators },
    etag,
  };
}
