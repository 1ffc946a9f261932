import { type Feature, withSpeculationRules } from '@ng-ssr/core';

const FEATURES = {
  'speculation-rules': () => withSpeculationRules(),
} satisfies Readonly<Record<string, () => Feature>>;

/** The name of a feature that servers under test have. */
export type FixtureFeature = keyof typeof FEATURES;

/** Makes features by their names: they hold functions, which another process cannot be sent. */
export function toFeatures(names: readonly FixtureFeature[]): readonly Feature[] {
  return names.map((name) => FEATURES[name]());
}
