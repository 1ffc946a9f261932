import { readFile, stat } from 'node:fs/promises';
import { entityTag } from '#etag';
import type { WireRepresentation } from '../../answers/wire-representation.ts';
import type { SsrError } from '../../errors.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';
import { hasDirective } from '../../http/cache-control.ts';
import { isCompressible } from '../../http/content-type.ts';
import { toHttpDate } from '../../http/http-date.ts';
import { addVary, valueOf, withHeader } from '../../http/header-list.ts';
import { BuiltIndex } from '../built-index.ts';
import { toSeconds } from '../evaluate-file.ts';
import { HeldResource } from '../held-resource.ts';
import type { WireLargeFile } from '../large-file.ts';
import { type Encodable, makeEncodings } from '../make-encodings.ts';
import type { WireResource } from '../wire-resource.ts';
import {
  type AssetEntry,
  type BuildManifest,
  type InlinedFile,
  type InlinedForm,
  MANIFEST_VERSION,
} from './build-manifest.ts';

/** Which files a manifest contains, and how. */
export interface ManifestOptions {
  /** Larger files are named only. In bytes. */
  readonly maxFileBytes: number;
  /** The same for pages, which a platform cannot send itself with the headers of their routes. */
  readonly maxPageBytes: number;
  /** The most that all contents and their encodings may be together. In bytes. */
  readonly maxBytes: number;
  readonly encodings: readonly ContentEncoding[];
}

/** The encodings that all platforms accept. */
export const MANIFEST_ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip'];

/** Headers of inlined content. */
const OF_BYTES = new Set([
  ...['content-length', 'content-encoding', 'etag', 'last-modified'],
  ...['accept-ranges', 'cache-status'],
]);

/**
 * Makes the manifest of a browser folder. Encodings are taken from its pack, and made if it has none.
 *
 * @param buildId - Equal for equal builds.
 * @param onError - Gets errors of encodings, which are then left out.
 * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder or a file cannot be read.
 */
export async function makeManifest(
  browserFolder: string,
  buildId: string,
  { maxFileBytes, maxPageBytes, maxBytes, encodings }: ManifestOptions,
  onError: (error: SsrError) => void,
): Promise<BuildManifest> {
  const index = new BuiltIndex({
    folder: browserFolder,
    maxFileBytes: Math.max(maxFileBytes, maxPageBytes),
    // Encodings of files that are named only claim memory too.
    maxBytes: Number.MAX_SAFE_INTEGER,
    encodings,
    cacheControl: undefined,
  });
  const isTooLarge = ({ path, sizeBytes }: Pick<Encodable, 'path' | 'sizeBytes'>): boolean =>
    sizeBytes > (isPage(path) ? maxPageBytes : maxFileBytes);
  const jobs = index.encodingJobs.filter(
    ({ file }) => file instanceof HeldResource && !isTooLarge(file),
  );
  await makeEncodings(
    jobs,
    () => true,
    onError,
    () => false,
  );
  const { baseHref, held, large } = index.share(() => undefined);
  const inlined: InlinedFile[] = [];
  const assets: AssetEntry[] = [];
  let bytes = 0;
  for (const [urlPaths, file] of held.toSorted(pagesFirst)) {
    const size = sizeOf(file);
    const { path, identity } = file;
    const isLeft = isTooLarge({ path, sizeBytes: identity.body.byteLength });
    if (isLeft || bytes + size > maxBytes) assets.push(toAsset(urlPaths, file));
    else {
      bytes += size;
      inlined.push(toInlined(urlPaths, file));
    }
  }
  for (const [urlPaths, file] of large) assets.push(await toUnheldAsset(urlPaths, file));
  return { version: MANIFEST_VERSION, buildId, baseHref, inlined, assets };
}

type Entry = readonly [urlPaths: readonly string[], file: WireResource];

/** Pages are answered by the server alone; other files a platform can send itself. */
function pagesFirst([, a]: Entry, [, b]: Entry): number {
  return Number(isPage(b.path)) - Number(isPage(a.path));
}

function isPage(path: string): boolean {
  return path.endsWith('.html');
}

function sizeOf({ identity, encoded }: WireResource): number {
  return encoded.reduce((all, { body }) => all + body.byteLength, identity.body.byteLength);
}

function toInlined(urlPaths: readonly string[], file: WireResource): InlinedFile {
  const { path, isEncoded, identity, unencoded, encoded } = file;
  const whole = {
    path,
    urlPaths,
    isEncoded,
    identity: toForm(identity),
    encoded: encoded.map(toForm),
  };
  if (unencoded === undefined) return whole;
  const { content: _content, ...headers } = toForm(unencoded);
  return { ...whole, unencoded: headers };
}

function toForm({ body, encoding, ...form }: WireRepresentation): InlinedForm {
  const { buffer, byteOffset, byteLength } = body;
  return {
    ...form,
    encoding: encoding as InlinedForm['encoding'],
    content: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  };
}

/** The platform may encode it, so its tag is weak (RFC 9110 section 8.8.1). */
function toAsset(urlPaths: readonly string[], { path, identity }: WireResource): AssetEntry {
  const { status, etag, lastModifiedMs = 0, body } = identity;
  const headers: string[] = [];
  for (let i = 0; i < identity.headers.length; i += 2) {
    const name = identity.headers[i]!;
    if (!OF_BYTES.has(name.toLowerCase())) headers.push(name, identity.headers[i + 1]!);
  }
  const contentType = valueOf(headers, 'content-type') ?? '';
  return {
    path,
    urlPaths,
    status,
    headers: withValidators(headers, etag && `W/${etag}`, lastModifiedMs),
    sizeBytes: body.byteLength,
    modifiedMs: lastModifiedMs,
    isCompressible: isCompressible(contentType),
  };
}

async function toUnheldAsset(
  urlPaths: readonly string[],
  { path, absolutePath, sizeBytes, content }: WireLargeFile,
): Promise<AssetEntry> {
  const { contentType, cacheControl, status = 200, routeHeaders = {} } = content;
  let headers = ['Content-Type', contentType, 'Cache-Control', cacheControl];
  for (const [name, value] of Object.entries(routeHeaders)) {
    headers = withHeader(headers, name, value);
  }
  if (isCompressible(contentType)) {
    headers = withHeader(headers, 'Vary', addVary(valueOf(headers, 'vary'), 'Accept-Encoding'));
  }
  const isCacheable = !hasDirective(valueOf(headers, 'cache-control'), 'no-store');
  const etag = isCacheable ? entityTag(await readFile(absolutePath), { weak: true }) : undefined;
  const modifiedMs = toSeconds((await stat(absolutePath)).mtimeMs);
  headers = withValidators(headers, etag, modifiedMs);
  return {
    ...{ path, urlPaths, status, headers, sizeBytes, modifiedMs },
    isCompressible: isCompressible(contentType),
  };
}

function withValidators(
  headers: readonly string[],
  etag: string | undefined,
  lastModifiedMs: number,
): string[] {
  const validators =
    etag === undefined ? [] : ['ETag', etag, 'Last-Modified', toHttpDate(lastModifiedMs)];
  const status = ['Accept-Ranges', 'bytes', 'Cache-Status', 'ng-ssr; fwd=bypass; detail=file'];
  return [...headers, ...validators, ...status];
}
