import type { Choose, EncodedForms } from '../answers/resource.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { BuiltResource } from './built-resource.ts';

/** What a file has besides its encodings: forms of which some clients get one. */
export interface FileForms {
  /** The request header that selects among them. */
  readonly vary: string;
  /** A header of all answers with the file, unless it has one of its own, and its value in answers with one of the forms. */
  readonly header: readonly [name: string, value: string, ofForms: string] | undefined;
  /** Undefined in a server thread, which has none of them. */
  readonly choose?: Choose<EncodedForms> | undefined;
}

/** Adds forms to the files of a build. */
export interface FileTrait {
  /** Of pages of the engine that are the same for every request. */
  readonly ofConstantPages: FileForms;
  /**
   * Called before the files of a folder are indexed: not in server threads.
   *
   * @param locales - The folders of locales below the browser folder, with `/` in front.
   * @param paths - Of all files below the browser folder.
   */
  read(baseHref: string, locales: readonly string[], paths: readonly string[]): void;
  /** Of a file that is no page; undefined for none. */
  ofFile(path: string): FileForms | undefined;
  /**
   * Of a page.
   *
   * @param page - Its path, without the base href.
   * @param content - Undefined for a page that is not held, or has another status than 200.
   * @param headers - Of its answers.
   */
  ofPage(page: string, content: Uint8Array | undefined, headers: HeaderList): FileForms;
  /** Called with each page that is held. */
  held(page: string, resource: BuiltResource): void;
}
