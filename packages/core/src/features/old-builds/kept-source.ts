import type { SsrError } from '../../errors.ts';
import type { BuiltFile } from '../../files/read-folder.ts';
import type { ManifestFile } from './build-manifest.ts';

/** A file of another build: on a disk, or its content. */
export interface KeptFile {
  readonly path: string;
  /** The browser folder of its build, which may have a pack beside it; undefined if it is on no disk. */
  readonly browserFolder: string | undefined;
  /** Undefined if it is on no disk. */
  readonly absolutePath: string | undefined;
  /** What it must be; undefined if that is not known. */
  readonly expected: ManifestFile | undefined;
  /** Undefined for a file on a disk. */
  readonly content: Uint8Array | undefined;
}

/** Where files of other builds come from. */
export interface KeptSource {
  /** Offers the server's own build to others, if the source can; synchronous where it is quick. Never rejects. */
  start(): Promise<void> | void;
  /** A file that is known already. */
  peek(path: string): KeptFile | undefined;
  /** Looks for files again. Never rejects. */
  look(paths: readonly string[]): Promise<ReadonlyMap<string, KeptFile>>;
  close(): Promise<void>;
}

/** The server's own build, as other servers may know it. */
export interface OwnBuild {
  readonly id: string;
  readonly baseHref: string;
  /** The files with a hash in their name, without source maps. */
  readonly files: readonly BuiltFile[];
  readonly browserFolder: string;
}

/** Reports the first of a row of errors: a folder that cannot be read is one problem, not one for each request. */
export class OutageReport {
  readonly #report: (error: SsrError) => void;
  #isOut = false;

  constructor(report: (error: SsrError) => void) {
    this.#report = report;
  }

  fail(error: SsrError): void {
    if (!this.#isOut) this.#report(error);
    this.#isOut = true;
  }

  succeed(): void {
    this.#isOut = false;
  }
}
