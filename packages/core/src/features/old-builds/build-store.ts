import type { SsrError } from '../../errors.ts';

/** A build whose files other servers may serve. */
export interface PublishedBuild {
  /** The same for all servers of a build: letters and digits. */
  readonly id: string;
  /** Files with a hash in their name. */
  readonly files: readonly PublishedFile[];
}

/** A file of a {@link PublishedBuild}. */
export interface PublishedFile {
  /** The path below the browser folder, with `/` in front, not percent-encoded. */
  readonly path: string;
  /** Reads the file. */
  read(): Promise<Uint8Array>;
}

/**
 * Stores files of builds for the servers of all builds. If it fails or takes too long, a file is missing: no request
 * fails, and `onError` gets the first failure.
 */
export interface BuildStore {
  /** Called once, before all other members. */
  open(context: {
    /** Part of every key: applications with different base hrefs share no files. */
    readonly baseHref: string;
    /** How many builds to keep besides the newest. */
    readonly keep: number;
    readonly onError: (error: SsrError) => void;
  }): void;
  /**
   * Adds a build, or marks it as the newest, and removes the oldest ones. Other servers then find all of its files or
   * none. Called at start, and regularly so that a running build stays. Never rejects.
   */
  publish(build: PublishedBuild): Promise<void>;
  /** Finds files by path; missing files are not in the result. Never rejects. */
  find(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Closes the store's connections. */
  close(): Promise<void>;
}
