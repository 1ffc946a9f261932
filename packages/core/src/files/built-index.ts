import type { Dictionaries } from '../answers/dictionaries.ts';
import { readFileSync } from 'node:fs';
import { check } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { isFieldValue } from '../http/field-syntax.ts';
import { valueOf } from '../http/header-list.ts';
import { Alternates, type AlternateSites } from './alternates.ts';
import { readBaseHref } from './base-href.ts';
import type { BuiltLocales } from './built-locales.ts';
import { type BuiltLocale, siteOf } from './built-locales.ts';
import { cacheControlOf } from './cache-control.ts';
import { localeOf } from './content-language.ts';
import { contentTypeOf, isCompressible } from '../http/content-type.ts';
import { FileDictionaries } from './file-dictionaries.ts';
import { HashedFiles, VERSION_PATH } from './hashed-files.ts';
import type { ResolvedFilesOptions } from './files-options.ts';
import type { BuiltResource } from './built-resource.ts';
import { type FileDictionaryTerms, HeldResource } from './held-resource.ts';
import {
  addCoded,
  type AddedCoding,
  type IndexedFiles,
  takeIndexedFiles,
  toIndexedFiles,
} from './indexed-files.ts';
import { LargeFile, MOST_CODED_FILE_BYTES } from './large-file.ts';
import { lookUp } from './look-up.ts';
import type { Codable, CodingJob } from './make-codings.ts';
import { takeFromPack } from './pack/take-from-pack.ts';
import { isPrecompressed, precompressedOf } from './precompressed.ts';
import { type PrerenderedRoute, readPrerenderedRoutes } from './prerendered-routes.ts';
import { type BuiltFile, readFolder } from './read-folder.ts';
import { type DocumentMarks, type SentContent, SentContents } from './sent-content.ts';
import { isWorkerManifest } from './worker-manifest.ts';

/** An attribute that both CommonEngine and the app engine write into prerendered pages. */
const PRERENDERED_MARKER = 'ng-server-context="ssg"';
const INDEX = '/index.html';
const CSR_PAGE = '/index.csr.html';
const ERROR_PAGE = /^(?:\/[^/]+)?\/(?:404|500|503)\/index\.html$/;

/** The options of a server that concern built files, and the build's facts. */
export interface BuiltIndexOptions extends ResolvedFilesOptions, DocumentMarks {
  /** The folders of a localized build by locale; none for other builds. */
  readonly locales?: Readonly<Record<string, string>> | undefined;
  /** Of a localized build. */
  readonly builtLocales?: BuiltLocales | undefined;
  /** Undefined if pages do not name their alternates. */
  readonly alternates?: AlternateSites | undefined;
  /** Undefined without the option `dictionaries`. */
  readonly dictionaries?: Dictionaries | undefined;
}

const NO_FILES: ReadonlyMap<string, BuiltFile> = new Map();

/** A file of another build, as it was added. */
export interface OtherFile {
  readonly resource: HeldResource | LargeFile;
  /** Its codings, if it is held or known from now on. */
  readonly jobs: readonly CodingJob[];
}

/**
 * The built files, indexed once at start. Files that fit are held in memory; of the others the names are
 * known, so that no request looks up a file on the disk.
 */
export class BuiltIndex {
  /** Codings that are still to be made, those of pages first. */
  readonly codingJobs: readonly CodingJob[];
  /** The notices of files that the build's pack lacks, or has wrong. */
  readonly packNotices: readonly SsrError[];
  /** Pages with a nonce that do not fit into memory: each is rendered when it is requested. */
  readonly unheldPages: string[] = [];
  /** Pages without the public configuration that do not fit into memory: rendered in the same way. */
  readonly unconfiguredPages: string[] = [];
  /** Text files that are not held, and too large to be coded, and those whose packed codings find no room. */
  readonly uncodedFiles: Pick<BuiltFile, 'path' | 'sizeBytes'>[] = [];
  readonly #held = new Map<string, BuiltResource>();
  readonly #large = new Map<string, LargeFile>();
  readonly #options: BuiltIndexOptions;
  #heldBytes = 0;
  #baseHref = '/';
  #hashed: HashedFiles | undefined;
  /** The folders of other locales, where the build of one is the browser folder itself. */
  #buildsBelow: readonly string[] = [];
  #dictionaries: FileDictionaries | undefined;
  /** Of documents with the public configuration: the bytes that were packed are others. */
  readonly #unpackedJobs: CodingJob[] = [];
  #alternates: Alternates | undefined;

  /**
   * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder or a file cannot be read, `NG_SSR_OPTION_INVALID`
   * when `files.cacheControl` returns an invalid field value.
   * @param indexed - The files as another thread has indexed them: none is read.
   */
  constructor(options: BuiltIndexOptions, indexed?: IndexedFiles) {
    this.#options = options;
    if (indexed !== undefined) {
      this.codingJobs = [];
      this.packNotices = [];
      this.#baseHref = indexed.baseHref;
      takeIndexedFiles(indexed, this.#held, this.#large);
      return;
    }
    const { folder } = options;
    const all = folder === undefined ? [] : this.#read(folder);
    const claim = (bytes: number): boolean => this.claim(bytes);
    const { jobs, dropped, notices } = takeFromPack(folder ?? '', all, claim);
    this.codingJobs = [...this.#unpackedJobs, ...jobs];
    this.uncodedFiles.push(...dropped);
    this.packNotices = notices;
  }

  /** The application's base href, with `/` at both ends, or `/` alone. */
  get baseHref(): string {
    return this.#baseHref;
  }

  /** Whether a document that browsers render into is held, of any locale. */
  get hasCsrPage(): boolean {
    for (const path of this.#held.keys()) if (path.endsWith(CSR_PAGE)) return true;
    return false;
  }

  /** The paths of prerendered pages that anybody may get, below the base href. */
  *pagePaths(): Iterable<string> {
    const base = this.#baseHref.slice(0, -1);
    const listed = new Set<BuiltResource>();
    for (const [path, file] of this.#held) {
      const isPage = file.path.endsWith(INDEX) && !path.endsWith(INDEX) && !listed.has(file);
      const isBelow = path.startsWith(`${base}/`) && !path.startsWith('//');
      if (!isPage || !isBelow || ERROR_PAGE.test(file.path)) continue;
      listed.add(file);
      const { status, headers } = file.identity.full;
      const isShared = !/private|no-store/i.test(valueOf(headers, 'cache-control') ?? '');
      if (status === 200 && isShared) yield path;
    }
  }

  /** The files with a hash in their name; undefined without a folder, and in the threads of a server. */
  get hashed(): HashedFiles | undefined {
    return this.#hashed;
  }

  /** The home page of each locale, by its route path, with its value of Use-As-Dictionary. */
  get homePages(): ReadonlyMap<string, string> {
    return this.#dictionaries?.homePages ?? new Map();
  }

  /**
   * Steps 2 and 3 for built files: the held resource of a target, or undefined.
   *
   * @param site - As {@link siteOf} names the pages at the root of some hosts; empty for all others.
   */
  find(target: string, site = ''): BuiltResource | undefined {
    return lookUp(this.#held, target, site);
  }

  /** The same for files that are not held. */
  findLarge(target: string, site = ''): LargeFile | undefined {
    return this.#large.size === 0 ? undefined : lookUp(this.#large, target, site);
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
   * @param onCoded - Called with each coding that is added later.
   * @returns all files as plain data.
   */
  share(onCoded: Parameters<typeof toIndexedFiles>[2]): IndexedFiles {
    const { builtLocales } = this.#options;
    return {
      baseHref: this.#baseHref,
      locales: builtLocales?.all,
      ...toIndexedFiles(this.#held, this.#large, onCoded),
    };
  }

  /** Adds a coding that another thread has made: see {@link share}. */
  addCoded(coded: AddedCoding): void {
    addCoded(coded, this.#held, this.#large);
  }

  /**
   * Claims memory for one more coding.
   *
   * @returns false when it would pass `files.maxBytes`.
   */
  claim(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#options.maxBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  /**
   * Adds a file of another build. Its name has the hash of its content, so that it replaces none of this build.
   *
   * @param content - Undefined for a file that is too large to be held.
   * @param isOnDisk - Whether it can be read from there where memory has no room for it.
   */
  addOther(file: BuiltFile, content: Buffer | undefined, isOnDisk: boolean): OtherFile {
    const isHeld = content !== undefined && this.claim(content.byteLength);
    if (content === undefined || (!isHeld && isOnDisk)) {
      const jobs = this.#addLarge(file, undefined, NO_FILES);
      const [urlPath] = this.#urlPathsOf(file, undefined);
      return { resource: this.#large.get(urlPath!)!, jobs };
    }
    const asBuilt = { body: content, hasNonce: false, hasConfig: false };
    const resource = this.#toHeld(file, asBuilt, undefined);
    return { resource, jobs: isHeld ? this.#hold(resource, file, undefined, NO_FILES) : [] };
  }

  /** Gives memory of a coding back. */
  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  /** @returns the codings of all files. */
  #read(folder: string): readonly CodingJob[] {
    const jobs: CodingJob[] = [];
    const files = readFolder(folder);
    const byPath = new Map(files.map((file) => [file.path, file]));
    const routes = readPrerenderedRoutes(folder);
    const { builtLocales, alternates } = this.#options;
    this.#baseHref = builtLocales?.baseHref ?? readBaseHref(folder);
    this.#alternates =
      builtLocales && alternates && new Alternates(builtLocales, alternates, byPath.keys());
    this.#buildsBelow = [...byPath.keys()]
      .filter((path) => path.endsWith(CSR_PAGE) && path !== CSR_PAGE)
      .map((path) => path.slice(0, -CSR_PAGE.length));
    const { dictionaries } = this.#options;
    const build = { baseHref: this.#baseHref, locales: this.#buildsBelow, paths: byPath.keys() };
    this.#dictionaries = dictionaries && new FileDictionaries(dictionaries, build);
    this.#hashed = new HashedFiles(files, this.#baseHref);
    this.#addVersion(this.#hashed);
    const isPageFile = (file: BuiltFile): boolean => file.path.endsWith(INDEX);
    const isManifest = (file: BuiltFile): boolean => isWorkerManifest(file.path);
    // Pages first, then small before large: if not all fit, those requested most are held.
    files.sort(
      (a, b) =>
        Number(isManifest(a)) - Number(isManifest(b)) ||
        Number(isPageFile(b)) - Number(isPageFile(a)) ||
        a.sizeBytes - b.sizeBytes,
    );
    const contents = new SentContents(this.#options, byPath.keys());
    for (const file of files) {
      if (isPrecompressed(file.path, byPath)) continue;
      const addedBytes = contents.addedBytes(file.path);
      const { sizeBytes } = file;
      if (sizeBytes > this.#options.maxFileBytes || !this.claim(sizeBytes + addedBytes)) {
        // Sent as a file it would lack them: the engine renders the same page with both.
        const unfit = contents.isAsBuilt(file.path)
          ? undefined
          : this.#unfitOf(file, contents, routes);
        if (unfit !== undefined) unfit.push(file.path);
        else {
          const route = isPageFile(file) ? this.#routeOf(file, routes) : undefined;
          jobs.push(...this.#addLarge(file, route, byPath));
        }
        continue;
      }
      const content = contents.of(file.path, readContent(file));
      if (!content.hasConfig) this.release(addedBytes);
      const route = isPageFile(file) ? this.#toPage(file, content.body, routes) : undefined;
      const own = this.#addHeld(file, content, route, byPath);
      (content.hasConfig ? this.#unpackedJobs : jobs).push(...own);
    }
    return jobs;
  }

  /** Where a file is listed that cannot be sent as it was built; undefined if it can. */
  #unfitOf(
    file: BuiltFile,
    contents: SentContents,
    routes: ReadonlyMap<string, PrerenderedRoute> | undefined,
  ): string[] | undefined {
    const { body, hasNonce, hasConfig } = contents.of(file.path, readContent(file));
    if (hasNonce) return this.unheldPages;
    const isPage =
      file.path.endsWith(CSR_PAGE) ||
      (file.path.endsWith(INDEX) && this.#toPage(file, body, routes) !== undefined);
    return isPage && hasConfig ? this.unconfiguredPages : undefined;
  }

  /** Held like a file, so that it is found wherever files are: in all adapters, threads and below the base href. */
  #addVersion(hashed: HashedFiles): void {
    for (const build of ['', ...this.#buildsBelow]) {
      const path = build + VERSION_PATH;
      const version = new HeldResource(path, Buffer.from(hashed.version), {
        contentType: 'application/json',
        cacheControl: 'no-store',
        modifiedMs: 0,
        isCoded: false,
      });
      for (const urlPath of this.#urlPathsOf({ path }, undefined)) this.#held.set(urlPath, version);
    }
  }

  #addHeld(
    file: BuiltFile,
    content: SentContent,
    route: PrerenderedRoute | undefined,
    byPath: ReadonlyMap<string, BuiltFile>,
  ): CodingJob[] {
    // A precompressed file has the content that was built.
    const besides = content.hasConfig ? NO_FILES : byPath;
    return this.#hold(this.#toHeld(file, content, route), file, route, besides);
  }

  #hold(
    resource: HeldResource,
    file: BuiltFile,
    route: PrerenderedRoute | undefined,
    byPath: ReadonlyMap<string, BuiltFile>,
  ): CodingJob[] {
    for (const path of this.#urlPathsOf(file, route)) this.#held.set(path, resource);
    if (route !== undefined) this.#dictionaries?.hold(this.#pageOf(file), resource);
    return resource.isCoded ? this.#codingJobsOf(resource, byPath) : [];
  }

  #toHeld(
    file: BuiltFile,
    { body, hasNonce, hasConfig }: SentContent,
    route: PrerenderedRoute | undefined,
  ): HeldResource {
    const { encodings } = this.#options;
    const contentType = contentTypeOf(file.path);
    const isCoded =
      !hasNonce && encodings.length > 0 && body.byteLength > 0 && isCompressible(contentType);
    return new HeldResource(file.path, body, {
      contentType,
      cacheControl: this.#cacheControlOf(file.path),
      // A client's date says nothing about the configuration; the entity tag does.
      modifiedMs: hasConfig ? undefined : file.modifiedMs,
      isCoded,
      dictionaries: this.#dictionaryTerms(file, route, body),
      ...(route && { status: route.status, routeHeaders: this.#headersOf(file, route) }),
    });
  }

  /** @param byPath - The files among which precompressed ones may be. */
  #codingJobsOf(file: Codable, byPath: ReadonlyMap<string, BuiltFile>): CodingJob[] {
    return this.#options.encodings.map((coding) => ({
      file,
      coding,
      precompressed: precompressedOf(file, coding, byPath),
    }));
  }

  #addLarge(
    file: BuiltFile,
    route: PrerenderedRoute | undefined,
    byPath: ReadonlyMap<string, BuiltFile>,
  ): CodingJob[] {
    const { path, absolutePath, sizeBytes } = file;
    const contentType = contentTypeOf(path);
    const isText = this.#options.encodings.length > 0 && isCompressible(contentType);
    const isCoded = isText && sizeBytes > 0 && sizeBytes <= MOST_CODED_FILE_BYTES;
    const large = new LargeFile(path, absolutePath, sizeBytes, {
      contentType,
      cacheControl: this.#cacheControlOf(path),
      isCoded,
      dictionaries: this.#dictionaryTerms(file, route, undefined),
      ...(route && { status: route.status, routeHeaders: this.#headersOf(file, route) }),
    });
    if (!isCoded && isText && sizeBytes > 0) this.uncodedFiles.push(file);
    for (const path of this.#urlPathsOf(file, route)) this.#large.set(path, large);
    return isCoded ? this.#codingJobsOf(large, byPath) : [];
  }

  /**
   * Undefined for files that have nothing to do with dictionaries.
   *
   * @param held - The content, if it is held.
   */
  #dictionaryTerms(
    file: BuiltFile,
    route: PrerenderedRoute | undefined,
    held: Uint8Array | undefined,
  ): FileDictionaryTerms | undefined {
    if (route === undefined) return this.#dictionaries?.ofFile(file.path);
    const headers = Object.entries(this.#headersOf(file, route)).flat();
    const fields = [...headers, 'Cache-Control', this.#cacheControlOf(file.path)];
    const isWhole = route.status === 200;
    return this.#dictionaries?.ofPage(this.#pageOf(file), isWhole ? held : undefined, fields);
  }

  /** The route of a page, or undefined for an index.html that is a plain file. */
  #toPage(
    file: BuiltFile,
    body: Buffer,
    routes: ReadonlyMap<string, PrerenderedRoute> | undefined,
  ): PrerenderedRoute | undefined {
    const declared = this.#routeOf(file, routes);
    if (declared !== undefined) return declared;
    return body.includes(PRERENDERED_MARKER) ? { headers: {}, status: 200 } : undefined;
  }

  /** The CLI lists routes with the base href, but places the files without it. */
  #routeOf(
    file: BuiltFile,
    routes: ReadonlyMap<string, PrerenderedRoute> | undefined,
  ): PrerenderedRoute | undefined {
    // Those of locales with the same base href have the same entry.
    const page = this.#pageOf(file);
    const below = withBaseHref(this.#baseHref, page);
    return routes?.get(below) ?? routes?.get(encodeURI(below)) ?? routes?.get(page);
  }

  /** The route's Content-Language overrides the locale's, as under the app engine. */
  #headersOf(file: BuiltFile, { headers, status }: PrerenderedRoute): PrerenderedRoute['headers'] {
    const locale = localeOf(file.path, this.#options.locales ?? {}, this.#buildsBelow);
    const alternates = status === 200 ? this.#alternates?.fieldOf(file.path) : undefined;
    return {
      ...(locale !== undefined && { 'Content-Language': locale }),
      ...(alternates === undefined ? headers : withLink(headers, alternates)),
    };
  }

  /** The path of a page, without the base href. */
  #pageOf(file: Pick<BuiltFile, 'path'>): string {
    return pagePathOf(this.#atRoot(file)?.file ?? file);
  }

  /** The site of a file that hosts of its locale have at their root, and the file as they see it. */
  #atRoot<File extends Pick<BuiltFile, 'path'>>(
    file: File,
  ): { readonly site: string; readonly file: File } | undefined {
    for (const locale of this.#options.builtLocales?.all ?? []) {
      const { folder, hasHosts } = locale;
      if (!hasHosts || !file.path.startsWith(`/${folder}/`)) continue;
      return { site: siteOf(locale), file: { ...file, path: file.path.slice(folder.length + 1) } };
    }
    return undefined;
  }

  /** All URL paths of a file: with the base href and, for proxies that strip it, without. */
  #urlPathsOf(file: Pick<BuiltFile, 'path'>, route: PrerenderedRoute | undefined): Set<string> {
    const atRoot = this.#atRoot(file);
    if (atRoot === undefined) return this.#pathsBelowBase(file, route);
    const paths = [...this.#pathsBelowBase(atRoot.file, route)];
    return new Set(paths.map((path) => atRoot.site + path));
  }

  #pathsBelowBase(file: Pick<BuiltFile, 'path'>, route: PrerenderedRoute | undefined): Set<string> {
    const paths = urlPathsOf(file, route);
    if (this.#baseHref === '/') return paths;
    const below = [...paths].map((path) => this.#baseHref.slice(0, -1) + path);
    if (route !== undefined && pagePathOf(file) === '/') below.push(this.#baseHref.slice(0, -1));
    return new Set([...below, ...paths]);
  }

  #cacheControlOf(path: string): string {
    const cacheControl = this.#options.cacheControl?.(path);
    if (cacheControl === undefined) return cacheControlOf(path);
    const isSendable = typeof cacheControl === 'string' && isFieldValue(cacheControl);
    check(`files.cacheControl(${JSON.stringify(path)})`, cacheControl, isSendable, 'a field value');
    return cacheControl;
  }
}

/** @throws SsrError `NG_SSR_INDEX_FAILED`, for example for a file deleted since the folder was listed. */
function readContent({ absolutePath }: BuiltFile): Buffer {
  try {
    return readFileSync(absolutePath);
  } catch (cause) {
    throw new SsrError('NG_SSR_INDEX_FAILED', `${absolutePath} cannot be read`, { cause });
  }
}

/** Adds to the Link field that a route declares. */
function withLink(
  headers: PrerenderedRoute['headers'],
  links: string,
): PrerenderedRoute['headers'] {
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'link');
  if (own === undefined) return { ...headers, Link: links };
  return { ...headers, [own]: `${headers[own]}, ${links}` };
}

/** `/about/index.html` is the page `/about`. */
function pagePathOf(file: Pick<BuiltFile, 'path'>): string {
  return file.path.slice(0, -INDEX.length) || '/';
}

function withBaseHref(baseHref: string, path: string): string {
  return path === '/' && baseHref !== '/' ? baseHref.slice(0, -1) : baseHref.slice(0, -1) + path;
}

/** All URL paths of a file: canonical, and as a URL parser writes them. */
function urlPathsOf(
  file: Pick<BuiltFile, 'path'>,
  route: PrerenderedRoute | undefined,
): Set<string> {
  const paths = [file.path];
  if (route !== undefined) {
    const page = pagePathOf(file);
    paths.push(page);
    if (page !== '/') paths.push(`${page}/`);
  }
  const urlPaths = new Set<string>();
  for (const path of paths) {
    urlPaths.add(urlPathOf(path));
    urlPaths.add(
      new URL(
        `http://host${path.replaceAll('%', '%25').replaceAll('?', '%3F').replaceAll('#', '%23')}`,
      ).pathname,
    );
  }
  return urlPaths;
}

function urlPathOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
