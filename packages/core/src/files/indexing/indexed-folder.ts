import { Arena } from '../arena.ts';
import { readBaseHref } from '../base-href.ts';
import type { BuiltLocales } from '../built-locales.ts';
import type { FileTrait } from '../file-forms.ts';
import type { ResolvedFilesOptions } from '../files-options.ts';
import { HashedFiles, VERSION_PATH } from '../hashed-files.ts';
import { type FillOf, HeldResource } from '../held-resource.ts';
import type { EncodingJob } from '../make-encodings.ts';
import { isPrecompressed } from '../precompressed.ts';
import { readPrerenderedRoutes } from '../prerendered-routes.ts';
import { type BuiltFile, readFolder } from '../read-folder.ts';
import { type DocumentMarks, SentContents } from '../sent-content.ts';
import { isWorkerManifest } from '../worker-manifest.ts';
import { BuiltResources } from './built-resources.ts';
import { FileIndex, NO_FILES } from './file-index.ts';
import type { FileMemory } from './file-memory.ts';
import { buildsBelow, isCsrPage, isPageFile } from './page-files.ts';
import { type FindLinks, PageRoutes } from './page-routes.ts';
import { readContent } from './read-content.ts';
import { UrlPaths } from './url-paths.ts';

/** The options of a server that concern built files, and the build's facts. */
export interface BuiltIndexOptions extends ResolvedFilesOptions, DocumentMarks {
  /** The folders of a localized build by locale; none for other builds. */
  readonly locales?: Readonly<Record<string, string>> | undefined;
  /** Of a localized build. */
  readonly builtLocales?: BuiltLocales | undefined;
  /** What prerendered pages name in their Link header, of the paths of all files. Default: nothing. */
  readonly toLinks?: ((files: Iterable<string>) => FindLinks | undefined) | undefined;
  /** Undefined if files have encodings alone. */
  readonly fileTrait?: FileTrait | undefined;
  /** As in {@link HeldResource}; undefined if all clients get the same files. */
  readonly fillOf?: FillOf | undefined;
  /** Whether prerendered pages are left out, so that they are rendered. Default: false. */
  readonly rendersAll?: boolean | undefined;
}

/** The files of a browser folder: those that fit into memory are read. */
export class IndexedFolder {
  readonly urlPaths: UrlPaths;
  readonly files: FileIndex;
  readonly resources: BuiltResources;
  readonly hashed: HashedFiles;
  /** Encodings that are to be made, or taken from the pack. */
  readonly jobs: EncodingJob[] = [];
  /** Of documents with the public configuration: the bytes that were packed are others. */
  readonly unpackedJobs: EncodingJob[] = [];
  /** Pages with a nonce that do not fit into memory. */
  readonly unheldPages: string[] = [];
  /** Pages without the public configuration that do not fit into memory. */
  readonly unconfiguredPages: string[] = [];
  readonly #options: BuiltIndexOptions;
  readonly #memory: FileMemory;
  readonly #byPath: ReadonlyMap<string, BuiltFile>;
  readonly #routes: PageRoutes;
  readonly #contents: SentContents;
  readonly #arena: Arena;

  /**
   * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder or a file cannot be read, `NG_SSR_OPTION_INVALID`
   * when `files.cacheControl` returns an invalid header value.
   */
  constructor(folder: string, options: BuiltIndexOptions, memory: FileMemory) {
    const { locales = {}, builtLocales, toLinks, fileTrait } = options;
    this.#options = options;
    this.#memory = memory;
    const files = readFolder(folder);
    this.#byPath = new Map(files.map((file) => [file.path, file]));
    const paths = [...this.#byPath.keys()];
    const baseHref = builtLocales?.baseHref ?? readBaseHref(folder);
    const builds = buildsBelow(paths);
    this.urlPaths = new UrlPaths(baseHref, builtLocales?.all);
    fileTrait?.read(baseHref, builds, paths);
    this.resources = new BuiltResources(options, this.urlPaths, fileTrait);
    this.files = new FileIndex(this.urlPaths, this.resources);
    this.#routes = new PageRoutes(
      {
        listed: readPrerenderedRoutes(folder),
        locales,
        buildsBelow: builds,
        linksOf: toLinks?.(paths),
      },
      this.urlPaths,
    );
    this.#contents = new SentContents(options, paths);
    this.#arena = arenaFor(files, options);
    this.hashed = new HashedFiles(files, baseHref);
    for (const build of ['', ...builds]) this.#addVersion(build + VERSION_PATH);
    for (const file of files.sort(byImportance)) {
      if (options.rendersAll === true && isPageFile(file.path)) continue;
      if (!isPrecompressed(file.path, this.#byPath)) this.#add(file);
    }
  }

  /** Held like a file, so that it is found wherever files are: in all adapters, threads and below the base href. */
  #addVersion(path: string): void {
    const version = new HeldResource(path, Buffer.from(this.hashed.version), {
      contentType: 'application/json',
      cacheControl: 'no-store',
      modifiedMs: 0,
      isEncoded: false,
    });
    this.files.set(version, false);
  }

  #add(file: BuiltFile): void {
    const { path, sizeBytes } = file;
    const addedBytes = this.#contents.addedBytes(path);
    const isSmall = sizeBytes <= this.#options.maxFileBytes;
    if (isSmall && this.#memory.claim(sizeBytes + addedBytes)) this.#hold(file, addedBytes);
    // On the disk it names the hashes of documents as they were built.
    else if (isWorkerManifest(path) && !this.#contents.isAsBuilt(path)) this.#hold(file, 0);
    else this.#leaveOnDisk(file);
  }

  /** @param addedBytes - Of the bytes that were claimed, those for the public configuration. */
  #hold(file: BuiltFile, addedBytes: number): void {
    const { path } = file;
    const built = readContent(file, this.#arena);
    const content = this.#contents.of(path, built);
    const { body, hasConfig } = content;
    this.#arena.keep(body);
    this.#contents.note(built, content);
    if (!hasConfig) this.#memory.release(addedBytes);
    const route = isPageFile(path) ? this.#routes.of(path, body) : undefined;
    const resource = this.resources.toHeld(file, content, route);
    // A precompressed file has the content that was built.
    const besides = hasConfig ? NO_FILES : this.#byPath;
    const jobs = this.files.addHeld(resource, route, besides);
    (hasConfig ? this.unpackedJobs : this.jobs).push(...jobs);
  }

  #leaveOnDisk(file: BuiltFile): void {
    const { path } = file;
    const unfit = this.#contents.isAsBuilt(path) ? undefined : this.#unfitOf(file);
    if (unfit !== undefined) {
      unfit.push(path);
      return;
    }
    const route = isPageFile(path) ? this.#routes.listedOf(path) : undefined;
    this.jobs.push(...this.files.addLarge(file, route, this.#byPath).jobs);
  }

  /**
   * Where a file is listed that would lack its nonce, or the configuration, if it were sent from the disk: the engine
   * renders the same page with both. Undefined for other files.
   */
  #unfitOf(file: BuiltFile): string[] | undefined {
    const { path } = file;
    const { body, hasNonce, hasConfig } = this.#contents.of(path, readContent(file, this.#arena));
    if (hasNonce) return this.unheldPages;
    const isPage =
      isCsrPage(path) || (isPageFile(path) && this.#routes.of(path, body) !== undefined);
    return isPage && hasConfig ? this.unconfiguredPages : undefined;
  }
}

/**
 * Pages first, then small before large: if not all fit, those requested most are held. The manifests of service workers
 * name the hashes of all others.
 */
function byImportance(one: BuiltFile, other: BuiltFile): number {
  return (
    Number(isWorkerManifest(one.path)) - Number(isWorkerManifest(other.path)) ||
    Number(isPageFile(other.path)) - Number(isPageFile(one.path)) ||
    one.sizeBytes - other.sizeBytes
  );
}

/** Room for all files that may be held: what none is read into takes no memory. */
function arenaFor(
  files: readonly BuiltFile[],
  { maxBytes, maxFileBytes }: BuiltIndexOptions,
): Arena {
  const small = files.filter(({ sizeBytes }) => sizeBytes <= maxFileBytes);
  const bytes = small.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  // One more tells whether a file has grown.
  return new Arena(Buffer.allocUnsafeSlow(Math.min(bytes, maxBytes) + 1).buffer);
}
