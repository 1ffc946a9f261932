import { check } from '../../check-option.ts';
import { contentTypeOf } from '../../http/content-type.ts';
import { isHeaderValue } from '../../http/header-syntax.ts';
import { cacheControlOf } from '../cache-control.ts';
import { isEncodableFile } from '../encodable-file.ts';
import type { FileContent } from '../file-headers.ts';
import type { FileTrait } from '../file-forms.ts';
import type { ResolvedFilesOptions } from '../files-options.ts';
import { type FillOf, HeldResource } from '../held-resource.ts';
import { LargeFile, MOST_ENCODED_FILE_BYTES } from '../large-file.ts';
import type { Encodable, EncodingJob } from '../make-encodings.ts';
import { precompressedOf } from '../precompressed.ts';
import type { PrerenderedRoute } from '../prerendered-routes.ts';
import type { FileState } from '../file-part.ts';
import type { BuiltFile } from '../read-folder.ts';
import type { SentContent } from '../sent-content.ts';
import type { UrlPaths } from './url-paths.ts';

/** Makes of files what they are answered with. */
export class BuiltResources {
  readonly #options: BuiltResourcesOptions;
  readonly #urlPaths: UrlPaths;
  readonly #trait: FileTrait | undefined;

  /** @param trait - Undefined if files have encodings alone. */
  constructor(options: BuiltResourcesOptions, urlPaths: UrlPaths, trait?: FileTrait) {
    this.#options = options;
    this.#urlPaths = urlPaths;
    this.#trait = trait;
  }

  /**
   * @param route - That of a prerendered page.
   * @throws SsrError `NG_SSR_OPTION_INVALID` when `files.cacheControl` returns an invalid header value.
   */
  toHeld(
    file: BuiltFile,
    { body, hasNonce, hasConfig }: SentContent,
    route: PrerenderedRoute | undefined,
  ): HeldResource {
    return new HeldResource(file.path, body, {
      contentType: contentTypeOf(file.path),
      // A client's date says nothing about the configuration; the ETag does.
      modifiedMs: hasConfig ? undefined : file.modifiedMs,
      isEncoded: !hasNonce && body.byteLength > 0 && this.#mayBeEncoded(file.path),
      fillOf: this.#options.fillOf,
      ...this.#headersOf(file.path, route, body),
    });
  }

  /** As {@link toHeld}, for a file that is not held. */
  toLarge(file: BuiltFile, route: PrerenderedRoute | undefined, compared?: FileState): LargeFile {
    const { path, absolutePath, sizeBytes } = file;
    return new LargeFile(path, absolutePath, sizeBytes, {
      contentType: contentTypeOf(path),
      isEncoded: this.isEncoded(file),
      compared,
      ...this.#headersOf(path, route, undefined),
    });
  }

  /** Whether a file that is not held has encodings. */
  isEncoded(file: BuiltFile): boolean {
    return this.isText(file) && file.sizeBytes <= MOST_ENCODED_FILE_BYTES;
  }

  /** Whether it would have encodings if it were not too large. */
  isText({ path, sizeBytes }: BuiltFile): boolean {
    return sizeBytes > 0 && this.#mayBeEncoded(path);
  }

  /** @param besides - The files among which precompressed ones may be. */
  encodingJobsOf(file: Encodable, besides: ReadonlyMap<string, BuiltFile>): EncodingJob[] {
    return this.#options.encodings.map((encoding) => ({
      file,
      encoding,
      precompressed: precompressedOf(file, encoding, besides),
    }));
  }

  /** Tells that a page is held. */
  noteHeld(resource: HeldResource): void {
    this.#trait?.held(this.#urlPaths.pageOf(resource.path), resource);
  }

  #mayBeEncoded(path: string): boolean {
    return this.#options.encodings.length > 0 && isEncodableFile(path);
  }

  #headersOf(
    path: string,
    route: PrerenderedRoute | undefined,
    held: Uint8Array | undefined,
  ): ResourceHeaders {
    const cacheControl = this.#cacheControlOf(path);
    if (route === undefined) {
      return { cacheControl, forms: this.#trait?.ofFile(path) };
    }
    const { status, headers } = route;
    const declared = [...Object.entries(headers).flat(), 'Cache-Control', cacheControl];
    const page = this.#urlPaths.pageOf(path);
    const whole = status === 200 ? held : undefined;
    const forms = this.#trait?.ofPage(page, whole, declared);
    return { cacheControl, forms, status, routeHeaders: headers };
  }

  #cacheControlOf(path: string): string {
    const cacheControl = this.#options.cacheControl?.(path);
    if (cacheControl === undefined) return cacheControlOf(path);
    const isSendable = typeof cacheControl === 'string' && isHeaderValue(cacheControl);
    check(
      `files.cacheControl(${JSON.stringify(path)})`,
      cacheControl,
      isSendable,
      'a header value',
    );
    return cacheControl;
  }
}

interface BuiltResourcesOptions extends Pick<ResolvedFilesOptions, 'encodings' | 'cacheControl'> {
  readonly fillOf?: FillOf | undefined;
}

type ResourceHeaders = Pick<FileContent, 'cacheControl' | 'forms' | 'status' | 'routeHeaders'>;
