import { Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/** The compression method of a zlib header (RFC 1950 section 2.2). */
const ZLIB_METHOD = 8;

/** Decodes `deflate`: the zlib format (RFC 9110 section 8.4.1.2), or the raw one, which many servers send. */
export class Inflate extends Transform {
  readonly #options: zlib.ZlibOptions;
  #inflate: zlib.Inflate | zlib.InflateRaw | undefined;

  constructor(options: zlib.ZlibOptions) {
    super();
    this.#options = options;
  }

  override _read(size: number): void {
    this.#inflate?.resume();
    super._read(size);
  }

  override _transform(chunk: Uint8Array, _encoding: string, callback: TransformCallback): void {
    if (chunk.byteLength === 0) return callback();
    this.#inflate ??= this.#start(chunk[0]!);
    this.#inflate.write(chunk, callback);
  }

  override _flush(callback: TransformCallback): void {
    if (this.#inflate === undefined) return callback();
    this.#inflate.once('end', () => callback()).end();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#inflate?.destroy();
    callback(error);
  }

  #start(first: number): zlib.Inflate | zlib.InflateRaw {
    const isZlib = (first & 0x0f) === ZLIB_METHOD;
    const inflate = isZlib
      ? zlib.createInflate(this.#options)
      : zlib.createInflateRaw(this.#options);
    inflate.on('error', (error) => this.destroy(error));
    return inflate.on('data', (data) => {
      if (!this.push(data)) inflate.pause();
    });
  }
}
