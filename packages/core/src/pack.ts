/** The pack of a build and its manifest, for programs that prepare builds (`@ng-ssr/cli`). */
export { describeError } from './describe-error.ts';
export { ERROR_CODES, ERRORS_PAGE, SsrError, type SsrErrorCode, toLogLine } from './errors.ts';
export { type MadePack, makePack } from './files/pack/make-pack.ts';
export { PACK_FOLDER } from './files/pack/pack-folder.ts';
export type {
  PackedEncoding,
  PackedFile,
  PackedWithDictionary,
  PackManifest,
} from './files/pack/pack-manifest.ts';
export { writePack } from './files/pack/write-pack.ts';
export type {
  AssetEntry,
  BuildManifest,
  InlinedFile,
  InlinedForm,
} from './files/manifest/build-manifest.ts';
export * from './files/manifest/make-manifest.ts';
export { MANIFEST_MODULE, writeManifestModule } from './files/manifest/write-manifest.ts';
export { ENCODINGS, type ContentEncoding } from './http/accept-encoding.ts';
export { AVAILABLE as AVAILABLE_ENCODINGS } from './http/content-encoding.ts';
export { DICTIONARY_ENCODINGS, type DictionaryEncoding } from './http/dictionary-encoding.ts';
export { isLoopback } from './host/loopback.ts';
export { toBuildId } from './files/build-id.ts';
export { parseSitemap, type Sitemap, type SitemapEntry } from './sitemap.ts';
export { suggestionFor } from './suggestion.ts';
export { VERSION } from './version.ts';
export type * from './telemetry/server-description.ts';
