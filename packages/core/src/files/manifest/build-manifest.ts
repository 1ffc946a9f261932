import { SsrError } from '../../errors.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';
import type { FileFacts } from '../evaluate-file.ts';

/** The format of {@link BuildManifest}, which changes together with what servers read. */
export const MANIFEST_VERSION = 1;

/**
 * The files of a build as an importable module, for servers without a folder: `ng-ssr pack --manifest` writes it.
 * Its content is of this package's own version.
 */
export interface BuildManifest {
  readonly version: number;
  /** Equal for equal builds. */
  readonly buildId: string;
  readonly baseHref: string;
  /** Pages and small files, with their content. */
  readonly inlined: readonly InlinedFile[];
  /** Files whose content the platform keeps. */
  readonly assets: readonly AssetEntry[];
}

/** A file with its content, in identity and encoded, as prebuilt answers. */
export interface InlinedFile {
  readonly path: string;
  readonly urlPaths: readonly string[];
  readonly isEncoded: boolean;
  readonly identity: InlinedForm;
  /** The headers of the same content for clients that accept encodings; missing if they are the same. */
  readonly unencoded?: Omit<InlinedForm, 'content'>;
  readonly encoded: readonly InlinedForm[];
}

/** One representation, its content in base64. */
export interface InlinedForm {
  readonly content: string;
  readonly encoding: 'identity' | ContentEncoding;
  /** Whether a proxy may encode it. */
  readonly mayBeEncoded: boolean;
  readonly status: number;
  /** The complete headers of its answer. */
  readonly headers: readonly string[];
  readonly etag: string | undefined;
  readonly lastModifiedMs: number | undefined;
}

/** A file by name, with all that its answers need beside its content. */
export interface AssetEntry extends FileFacts {
  readonly path: string;
  readonly urlPaths: readonly string[];
  readonly status: number;
  /** The headers of its answers, but for Content-Length. */
  readonly headers: readonly string[];
}

/** @throws SsrError `NG_SSR_PACK_INVALID` for what is no manifest of this version. */
export function assertManifest(manifest: BuildManifest): void {
  const given: unknown = manifest;
  const { version, inlined, assets } = Object(given) as Partial<BuildManifest>;
  if (version === MANIFEST_VERSION && Array.isArray(inlined) && Array.isArray(assets)) return;
  throw new SsrError(
    'NG_SSR_PACK_INVALID',
    `manifest is not a manifest of version ${MANIFEST_VERSION}; allowed: the manifest that "ng-ssr pack ` +
      '--manifest" of this version writes for the build. Pack it again',
  );
}
