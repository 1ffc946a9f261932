import type { OwnFeature, ServerStoring } from './own-feature.ts';

/** The features of one server: what they add to its documents and pages must be known before its files are indexed. */
export function forServer(
  features: readonly OwnFeature[],
  storing: ServerStoring,
): readonly OwnFeature[] {
  return features.map((each) => each.forServer?.(storing) ?? each);
}
