import type { BuiltResource } from '../built-resource.ts';
import type { FileState } from '../file-part.ts';
import type { HeldResource } from '../held-resource.ts';
import type { LargeFile } from '../large-file.ts';
import type { EncodingJob } from '../make-encodings.ts';
import type { PrerenderedRoute } from '../prerendered-routes.ts';
import type { BuiltFile } from '../read-folder.ts';
import type { BuiltResources } from './built-resources.ts';
import type { UrlPaths } from './url-paths.ts';

/** Where no precompressed file is looked for. */
export const NO_FILES: ReadonlyMap<string, BuiltFile> = new Map();

/** Files by URL path. */
export class FileIndex {
  readonly held: Map<string, BuiltResource> = new Map();
  readonly large: Map<string, LargeFile> = new Map();
  /** Text files that are not held, and too large to be encoded. */
  readonly unencoded: Pick<BuiltFile, 'path' | 'sizeBytes'>[] = [];
  readonly #urlPaths: UrlPaths;
  readonly #resources: BuiltResources;

  constructor(urlPaths: UrlPaths, resources: BuiltResources) {
    this.#urlPaths = urlPaths;
    this.#resources = resources;
  }

  /** Adds a file without encodings, or those that it has already. */
  set(resource: BuiltResource, isPage: boolean): void {
    for (const urlPath of this.#urlPaths.of(resource.path, isPage)) {
      this.held.set(urlPath, resource);
    }
  }

  /**
   * @param besides - The files among which precompressed ones may be.
   * @returns the encodings to be made.
   */
  addHeld(
    resource: HeldResource,
    route: PrerenderedRoute | undefined,
    besides: ReadonlyMap<string, BuiltFile>,
  ): EncodingJob[] {
    this.set(resource, route !== undefined);
    if (route !== undefined) this.#resources.noteHeld(resource);
    return resource.isEncoded ? this.#resources.encodingJobsOf(resource, besides) : [];
  }

  /**
   * As {@link addHeld}, for a file that is not held.
   *
   * @param compared - Of a file of another build: the state in which its content was compared.
   */
  addLarge(
    file: BuiltFile,
    route: PrerenderedRoute | undefined,
    besides: ReadonlyMap<string, BuiltFile>,
    compared?: FileState,
  ): { readonly resource: LargeFile; readonly jobs: EncodingJob[] } {
    const resource = this.#resources.toLarge(file, route, compared);
    for (const urlPath of this.#urlPaths.of(file.path, route !== undefined)) {
      this.large.set(urlPath, resource);
    }
    const isEncoded = this.#resources.isEncoded(file);
    if (!isEncoded && this.#resources.isText(file)) this.unencoded.push(file);
    return { resource, jobs: isEncoded ? this.#resources.encodingJobsOf(resource, besides) : [] };
  }
}
