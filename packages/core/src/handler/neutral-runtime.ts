import { NO_CODER } from '../answers/coder.ts';
import { select } from '../answers/select.ts';
import type { FetchAsset } from '../files/manifest/asset-file.ts';
import { ManifestIndex } from '../files/manifest/manifest-index.ts';
import type { BuiltFiles } from '../path/request-files.ts';
import { toAllowedHosts } from '../host/allowed-hosts.ts';
import { SiteReader } from '../host/site.ts';
import { PageTraits } from '../pages/traits/page-traits.ts';
import { renderInIsolate } from '../render/in-isolate.ts';
import { EngineLoader } from './engine-loader.ts';
import type { ErrorReports } from '../path/error-reports.ts';
import { traitsOf } from '../path/watch-trait.ts';
import type { ResolvedNeutralOptions } from './neutral-options.ts';
import type { Runtime } from '../path/runtime.ts';

/** What a platform without Node's modules provides for a server: no folders, threads, and encodings of rendered pages. */
export function neutralRuntime(
  options: ResolvedNeutralOptions,
  fetchAsset: FetchAsset | undefined,
  { onError, report }: ErrorReports,
): Runtime {
  const { manifest, trustProxyHeaders } = options;
  const host = new EngineLoader({ ...options, onError, files: { folder: undefined } }, undefined);
  return {
    isBuilt: manifest !== undefined,
    index: manifest ? new ManifestIndex(manifest, host.locales() ?? {}, fetchAsset) : NO_FILES,
    locales: undefined,
    constantPages: { routes: undefined, find: () => undefined },
    select,
    traits: PageTraits.join({ others: traitsOf(options.features, report) }),
    encodings: [],
    renderer: renderInIsolate(host, report),
    threads: [],
    storing: {
      buildId: () => manifest?.buildId ?? '',
      coder: NO_CODER,
      edgePurges: undefined,
    },
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
