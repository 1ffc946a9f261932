import { NO_ENCODER } from '../answers/encoder.ts';
import type { FetchAsset } from '../files/manifest/asset-file.ts';
import { ManifestIndex } from '../files/manifest/manifest-index.ts';
import type { BuiltFiles } from '../path/request-files.ts';
import { toAllowedHosts } from '../host/allowed-hosts.ts';
import { SiteReader } from '../host/site.ts';
import { renderInIsolate } from '../render/in-isolate.ts';
import { EngineLoader } from './engine-loader.ts';
import type { ErrorReports } from '../path/error-reports.ts';
import type { OwnFeature } from '../path/own-feature.ts';
import { traitsOf } from '../path/watch-trait.ts';
import type { ResolvedNeutralOptions } from './neutral-options.ts';
import type { Runtime } from '../path/runtime.ts';

/** What a platform without Node's modules provides for a server: no folders, threads, and encodings of rendered pages. */
export function neutralRuntime(
  options: ResolvedNeutralOptions,
  fetchAsset: FetchAsset | undefined,
  { onError, report }: ErrorReports,
  features: readonly OwnFeature[],
): Runtime {
  const { manifest, trustProxyHeaders } = options;
  const host = new EngineLoader({ ...options, onError, files: { folder: undefined } }, {});
  return {
    isBuilt: manifest !== undefined,
    index: manifest ? new ManifestIndex(manifest, host.locales() ?? {}, fetchAsset) : NO_FILES,
    browserFolder: undefined,
    locales: undefined,
    constantPages: { routes: undefined, find: () => undefined },
    traits: traitsOf(features, report),
    encodings: [],
    renderer: renderInIsolate(host, report),
    threads: [],
    buildIdOf: (own) => own ?? manifest?.buildId ?? '',
    encoder: NO_ENCODER,
    isMain: true,
    main: undefined,
    readSites: (isTrusted) =>
      new SiteReader(
        toAllowedHosts(host.allowedHosts()),
        isTrusted,
        trustProxyHeaders !== false,
        undefined,
      ),
  };
}

const NO_FILES: BuiltFiles = {
  baseHref: '/',
  hasCsrPage: false,
  find: () => undefined,
  findLarge: () => undefined,
};
