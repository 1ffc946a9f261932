import type { SsrError } from '../errors.ts';
import { valueOf } from '../http/header-list.ts';
import { type BuiltLocale, siteOf } from './built-locales.ts';
import type { BuiltResource } from './built-resource.ts';
import type { FileState } from './file-part.ts';
import type { HashedFiles } from './hashed-files.ts';
import type { HeldResource } from './held-resource.ts';
import {
  addEncoded,
  type AddedEncoding,
  type IndexedFiles,
  takeIndexedFiles,
  toIndexedFiles,
} from './indexed-files.ts';
import { BuiltResources } from './indexing/built-resources.ts';
import { FileIndex, NO_FILES } from './indexing/file-index.ts';
import { FileMemory } from './indexing/file-memory.ts';
import { type BuiltIndexOptions, IndexedFolder } from './indexing/indexed-folder.ts';
import { isCsrPage, isPageFile } from './indexing/page-files.ts';
import { UrlPaths } from './indexing/url-paths.ts';
import type { LargeFile } from './large-file.ts';
import { lookUp } from '../http/target.ts';
import type { EncodingJob } from './make-encodings.ts';
import { takeFromPack } from './pack/take-from-pack.ts';
import type { BuiltFile } from './read-folder.ts';

const ERROR_PAGE = /^(?:\/[^/]+)?\/(?:404|500|503)\/index\.html$/;

/** A file of another build, as it was added. */
export interface OtherFile {
  readonly resource: HeldResource | LargeFile;
  /** Its encodings, if it is held or known from now on. */
  readonly jobs: readonly EncodingJob[];
}

/**
 * The built files, indexed once at start. Files that fit are held in memory; of the others the names are
 * known, so that no request looks up a file on the disk.
 */
export class BuiltIndex {
  /** Encodings that are still to be made, those of pages first. */
  readonly encodingJobs: readonly EncodingJob[];
  /** The notices of files that the build's pack lacks, or has wrong. */
  readonly packNotices: readonly SsrError[];
  /** Pages with a nonce that do not fit into memory: each is rendered when it is requested. */
  readonly unheldPages: readonly string[];
  /** Pages without the public configuration that do not fit into memory: rendered in the same way. */
  readonly unconfiguredPages: readonly string[];
  /** The largest file that is held in memory. */
  readonly maxFileBytes: number;
  /** The files with a hash in their name; undefined without a folder, and in the threads of a server. */
  readonly hashed: HashedFiles | undefined;
  readonly #urlPaths: UrlPaths;
  readonly #files: FileIndex;
  readonly #resources: BuiltResources;
  readonly #memory: FileMemory;
  readonly #locales: readonly BuiltLocale[] | undefined;

  /**
   * @throws SsrError as an {@link IndexedFolder} does.
   * @param indexed - The files as another thread has indexed them: none is read.
   */
  constructor(options: BuiltIndexOptions, indexed?: IndexedFiles) {
    const { folder, maxBytes, maxFileBytes, builtLocales, fillOf } = options;
    this.maxFileBytes = maxFileBytes;
    this.#locales = builtLocales?.all;
    this.#memory = new FileMemory(maxBytes);
    const read =
      indexed === undefined && folder !== undefined
        ? new IndexedFolder(folder, options, this.#memory)
        : undefined;
    this.#urlPaths = read?.urlPaths ?? new UrlPaths(indexed?.baseHref ?? '/', this.#locales);
    this.#resources = read?.resources ?? new BuiltResources(options, this.#urlPaths);
    this.#files = read?.files ?? new FileIndex(this.#urlPaths, this.#resources);
    this.hashed = read?.hashed;
    this.unheldPages = read?.unheldPages ?? [];
    this.unconfiguredPages = read?.unconfiguredPages ?? [];
    if (indexed !== undefined) {
      takeIndexedFiles(indexed, this.#files.held, this.#files.large, fillOf);
    }
    const claim = (bytes: number): boolean => this.claim(bytes);
    const { jobs, dropped, notices } = takeFromPack(folder ?? '', read?.jobs ?? [], claim);
    this.encodingJobs = [...(read?.unpackedJobs ?? []), ...jobs];
    this.#files.unencoded.push(...dropped);
    this.packNotices = notices;
  }

  get buildId(): string | undefined {
    return this.hashed?.buildId;
  }

  /** The application's base href, with `/` at both ends, or `/` alone. */
  get baseHref(): string {
    return this.#urlPaths.baseHref;
  }

  /** Text files that are not held, and too large to be encoded, and those whose packed encodings find no room. */
  get unencodedFiles(): readonly Pick<BuiltFile, 'path' | 'sizeBytes'>[] {
    return this.#files.unencoded;
  }

  /** Whether a document that browsers render into is held, of any locale. */
  get hasCsrPage(): boolean {
    for (const path of this.#files.held.keys()) if (isCsrPage(path)) return true;
    return false;
  }

  /** The paths of prerendered pages that anybody may get, below the base href. */
  *pagePaths(): Iterable<string> {
    const listed = new Set<BuiltResource>();
    for (const [path, file] of this.#files.held) {
      const isPage = isPageFile(file.path) && !isPageFile(path) && !listed.has(file);
      const isBelow = path.startsWith(this.baseHref) && !path.startsWith('//');
      if (!isPage || !isBelow || ERROR_PAGE.test(file.path)) continue;
      listed.add(file);
      const { status, headers } = file.identity.full;
      const isShared = !/private|no-store/i.test(valueOf(headers, 'cache-control') ?? '');
      if (status === 200 && isShared) yield path;
    }
  }

  /**
   * Steps 2 and 3 for built files: the held resource of a target, or undefined.
   *
   * @param site - As {@link siteOf} names the pages at the root of some hosts; empty for all others.
   */
  find(target: string, site = ''): BuiltResource | undefined {
    return lookUp(this.#files.held, target, site);
  }

  /** The same for files that are not held. */
  findLarge(target: string, site = ''): LargeFile | undefined {
    const { large } = this.#files;
    return large.size === 0 ? undefined : lookUp(large, target, site);
  }

  /**
   * A file of a locale.
   *
   * @param path - Below the folder of the locale, with `/` in front.
   */
  findOf(locale: BuiltLocale, path: string): BuiltResource | undefined {
    const { folder, hasHosts } = locale;
    if (hasHosts) return this.find(path, siteOf(locale));
    return this.find(folder === '' ? path : `/${folder}${path}`);
  }

  /**
   * Moves all bytes into shared memory.
   *
   * @param onEncoded - Called with each encoding that is added later.
   * @returns all files as plain data.
   */
  share(onEncoded: Parameters<typeof toIndexedFiles>[2]): IndexedFiles {
    const { held, large } = this.#files;
    return {
      baseHref: this.baseHref,
      locales: this.#locales,
      ...toIndexedFiles(held, large, onEncoded),
    };
  }

  /** Adds an encoding that another thread has made: see {@link share}. */
  addEncoded(encoded: AddedEncoding): void {
    addEncoded(encoded, this.#files.held, this.#files.large);
  }

  /**
   * Adds a file of another build. Its name has the hash of its content, so that it replaces none of this build.
   *
   * @param content - Undefined for a file that is too large to be held.
   * @param compared - The state in which it was compared, of a file that can be read from the disk where memory has no
   * room for it.
   */
  addOther(
    file: BuiltFile,
    content: Buffer | undefined,
    compared: FileState | undefined,
  ): OtherFile {
    const isHeld = content !== undefined && this.claim(content.byteLength);
    if (content === undefined || (!isHeld && compared !== undefined)) {
      return this.#files.addLarge(file, undefined, NO_FILES, compared);
    }
    const asBuilt = { body: content, hasNonce: false, hasConfig: false };
    const resource = this.#resources.toHeld(file, asBuilt, undefined);
    return { resource, jobs: isHeld ? this.#files.addHeld(resource, undefined, NO_FILES) : [] };
  }

  /**
   * Claims memory for one more encoding.
   *
   * @returns false when it would pass `files.maxBytes`.
   */
  claim(bytes: number): boolean {
    return this.#memory.claim(bytes);
  }

  /** Gives memory of an encoding back. */
  release(bytes: number): void {
    this.#memory.release(bytes);
  }
}
