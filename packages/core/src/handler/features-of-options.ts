import { withCalls } from '../features/calls/with-calls.ts';
import { withBuilds } from '../features/builds/with-builds.ts';
import { withLocaleRedirects } from '../features/locale-redirects/with-locale-redirects.ts';
import { DEFAULT_CALL_BYTES } from '../pages/options/resolve-cache-options.ts';
import type { OwnFeature } from '../path/own-feature.ts';
import type { ResolvedOptions } from './options.ts';

/** The features that a server has by its options, in the order in which they are asked. */
export function featuresOf(options: ResolvedOptions): readonly OwnFeature[] {
  const { builds, cache, calls, files, locales } = options;
  const callBytes = cache === false ? DEFAULT_CALL_BYTES : cache.maxCallBytes;
  const features = [
    builds && withBuilds(builds, files),
    calls && withCalls(calls, callBytes),
    locales?.by && withLocaleRedirects(locales.by),
    ...options.features,
  ];
  return features.filter((feature) => feature !== undefined);
}
