import type { SsrError } from '../../errors.ts';

/** A build whose files other servers may answer. */
export interface PublishedBuild {
  /** Equal for all servers of a build; letters and digits. */
  readonly id: string;
  /** The files with a hash in their name. */
  readonly files: readonly PublishedFile[];
}

/** A file of a {@link PublishedBuild}. */
export interface PublishedFile {
  /** Below the browser folder, with `/` in front and between, not percent-encoded. */
  readonly path: string;
  /** Reads its content. */
  read(): Promise<Uint8Array>;
}

/**
 * Files of builds that the servers of all builds share. Its failures must not cost an answer: what fails or takes too
 * long is a file that is missing, and is reported once through `onError`.
 */
export interface BuildStore {
  /** Called once, before everything else. */
  open(context: {
    /** Part of every key: applications with another one share no files. */
    readonly baseHref: string;
    /** How many builds are kept besides the newest. */
    readonly keep: number;
    readonly onError: (error: SsrError) => void;
  }): void;
  /**
   * Adds a build, or marks it as the newest, and removes those that are too many. Other servers find all of its files
   * from then on, or none. Called at start, and now and then while the server runs, so that a build in use stays. Never
   * rejects.
   */
  publish(build: PublishedBuild): Promise<void>;
  /** Finds files by path. Never rejects: what is missing in the result was not found. */
  find(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Closes the store's connections. */
  close(): Promise<void>;
}
