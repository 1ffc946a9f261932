import type { PackedFile } from './pack-manifest.ts';

/** The encodings that were made at build time. It does not say where they are kept. */
export interface Pack {
  /** The files by their path below the browser folder of the server. */
  readonly files: ReadonlyMap<string, PackedFile>;
  /**
   * The bytes at a place in the pack. The next call writes over them, unless they are kept.
   *
   * @throws Error if they cannot be read.
   */
  read(at: number, bytes: number): Uint8Array;
  keep(bytes: Uint8Array): void;
}
