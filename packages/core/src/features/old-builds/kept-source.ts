import type { BuiltFile } from '../../files/read-folder.ts';
import type { ManifestFile } from './build-manifest.ts';

/** A file of another build: on a disk, or its content. */
export interface KeptFile {
  readonly path: string;
  /** The browser folder of its build, which may have a pack beside it; undefined if it is on no disk. */
  readonly browserFolder: string | undefined;
  readonly absolutePath: string | undefined;
  /** What it must be; undefined if that is not known. */
  readonly expected: ManifestFile | undefined;
  readonly content: Uint8Array | undefined;
}

/** Where files of other builds come from. */
export interface KeptSource {
  /** Offers the server's own build to others, if the source can; synchronous where it is quick. Never rejects. */
  start?(): Promise<void> | void;
  /** A file that is known already. */
  peek?(path: string): KeptFile | undefined;
  /** Looks for files again. Never rejects. */
  look?(paths: readonly string[]): Promise<ReadonlyMap<string, KeptFile>>;
  close?(): Promise<void> | void;
}

/** The server's own build, as other servers may know it. */
export interface OwnBuild {
  readonly id: string;
  readonly baseHref: string;
  /** The files with a hash in their name, without source maps. */
  readonly files: readonly BuiltFile[];
  readonly browserFolder: string;
}
