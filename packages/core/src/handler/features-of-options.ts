import { withLocaleRedirects } from '../features/locale-redirects/with-locale-redirects.ts';
import type { OwnFeature } from '../path/own-feature.ts';
import type { ResolvedOptions } from './options.ts';

/** The features that a server has by its options, in the order in which they are asked. */
export function featuresOf(options: ResolvedOptions): readonly OwnFeature[] {
  const { locales } = options;
  const features = [locales?.by && withLocaleRedirects(locales.by), ...options.features];
  return features.filter((feature) => feature !== undefined);
}
