import { type Representation, toRepresentation } from '../../answers/representation.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';
import { valueOf } from '../../http/header-list.ts';
import type { BuiltResource } from '../built-resource.ts';
import { localeOf } from '../content-language.ts';
import { lookUp } from '../../http/target.ts';
import { AssetFile, type FetchAsset } from './asset-file.ts';
import { fromBase64 } from './base64.ts';
import type { BuildManifest, InlinedFile, InlinedForm } from './build-manifest.ts';

const CSR_PAGE = '/index.csr.html';
const INDEX = '/index.html';

/** The files of a build by their manifest. The content of a file is decoded when it is first answered. */
export class ManifestIndex {
  /** With `/` at both ends, or `/` alone. */
  readonly baseHref: string;
  readonly buildId: string;
  /** Whether a document that browsers render into is in the manifest. */
  readonly hasCsrPage: boolean;
  readonly #inlined = new Map<string, () => BuiltResource>();
  readonly #assets = new Map<string, AssetFile>();

  /**
   * @param locales - The folders of a localized build by locale; none for other builds.
   * @param fetchAsset - Undefined if the platform has none: such files are not found.
   */
  constructor(
    manifest: BuildManifest,
    locales: Readonly<Record<string, string>>,
    fetchAsset: FetchAsset | undefined,
  ) {
    this.baseHref = manifest.baseHref;
    this.buildId = manifest.buildId;
    this.hasCsrPage = manifest.inlined.some(({ path }) => path.endsWith(CSR_PAGE));
    const buildsBelow = manifest.inlined
      .filter(({ path }) => path.endsWith(CSR_PAGE) && path !== CSR_PAGE)
      .map(({ path }) => path.slice(0, -CSR_PAGE.length));
    for (const file of manifest.inlined) {
      const isPage = file.path.endsWith(INDEX);
      const locale = isPage ? localeOf(file.path, locales, buildsBelow) : undefined;
      let resource: BuiltResource | undefined;
      const get = (): BuiltResource => (resource ??= toResource(file, locale));
      for (const path of file.urlPaths) this.#inlined.set(path, get);
    }
    for (const entry of fetchAsset === undefined ? [] : manifest.assets) {
      const file = new AssetFile(entry, fetchAsset!);
      for (const path of entry.urlPaths) this.#assets.set(path, file);
    }
  }

  /** The file of a target whose content is in the manifest. */
  find(target: string): BuiltResource | undefined {
    return lookUp(this.#inlined, target)?.();
  }

  /** The file of a target whose content the platform keeps. */
  findLarge(target: string): AssetFile | undefined {
    return lookUp(this.#assets, target);
  }
}

function toResource(
  { path, isEncoded, identity, unencoded, encoded }: InlinedFile,
  locale: string | undefined,
): BuiltResource {
  const body = fromBase64(identity.content);
  const whole = represent(identity, body, locale);
  const forms: { [encoding in ContentEncoding]?: Representation } = {};
  for (const form of encoded) {
    forms[form.encoding as ContentEncoding] = represent(form, fromBase64(form.content), locale);
  }
  return {
    path,
    body,
    isEncoded,
    identity: whole,
    unencoded: unencoded === undefined ? whole : represent(unencoded, body, locale),
    encoded: forms,
  };
}

/** A language that the page's route has declared stays. */
function represent(
  { headers, ...form }: Omit<InlinedForm, 'content'>,
  body: Uint8Array,
  locale: string | undefined,
): Representation {
  const isDeclared = locale === undefined || valueOf(headers, 'content-language') !== undefined;
  const all = isDeclared ? headers : ['Content-Language', locale, ...headers];
  return toRepresentation({ ...form, headers: all, body });
}
