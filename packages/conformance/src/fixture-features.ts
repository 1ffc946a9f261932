import { join } from 'node:path';
import {
  type Feature,
  withCalls,
  withDictionaries,
  withInspector,
  withOldBuilds,
  withPublicConfig,
  withPurgeEndpoint,
  withSlots,
  withSpeculationRules,
} from '@ng-ssr/core';
import { CALLS } from './calling-stub-pages.ts';
import { PUBLIC_CONFIG } from './public-config-fixture.ts';
import { PURGE_ENDPOINT } from './purge-fixture.ts';
import { LATE_CALLS, SLOT_ENDPOINT, SLOTS } from './slots-fixture.ts';

/** The inspector of the profile `inspector`, and its token. */
export const INSPECTOR = {
  path: '/_ng-ssr/inspector',
  token: 'a-token-for-the-inspector-in-tests',
};

/** The features that call routes of their server. */
export interface CallingFeatures {
  readonly withCalls: typeof withCalls;
  readonly withSlots: typeof withSlots;
}

const FEATURES = {
  calls: (_folder, { withCalls }) => withCalls(CALLS),
  dictionaries: () => withDictionaries(),
  inspector: () => withInspector(INSPECTOR),
  'late-calls': (_folder, { withSlots }) => withSlots(LATE_CALLS),
  'old-builds': (browserFolder) =>
    withOldBuilds({ previous: [join(browserFolder, '../earlier/browser')] }),
  'public-config': () => withPublicConfig(PUBLIC_CONFIG),
  'purge-endpoint': () => withPurgeEndpoint(PURGE_ENDPOINT),
  slots: (_folder, { withSlots }) => withSlots(SLOTS),
  'slot-endpoint': (_folder, { withSlots }) => withSlots(SLOTS, { endpoint: SLOT_ENDPOINT }),
  'speculation-rules': () => withSpeculationRules(),
} satisfies Readonly<Record<string, (browserFolder: string, calling: CallingFeatures) => Feature>>;

/** The name of a feature that servers under test have. */
export type FixtureFeature = keyof typeof FEATURES;

/**
 * Makes features by their names: they hold functions, which another process cannot be sent.
 *
 * @param browserFolder - Of the site that is served.
 * @param calling - Those of the adapter's package. Default: those of `@ng-ssr/core`.
 */
export function toFeatures(
  names: readonly FixtureFeature[],
  browserFolder: string,
  calling: CallingFeatures = { withCalls, withSlots },
): readonly Feature[] {
  return names.map((name) => {
    const feature = FEATURES[name](browserFolder, calling);
    namesOf.set(feature, name);
    return feature;
  });
}

/** Two fixtures may be the same feature with other options. */
const namesOf = new WeakMap<Feature, FixtureFeature>();

/** The name of a feature that {@link toFeatures} has made. */
export function nameOfFixture(feature: Feature): FixtureFeature {
  return namesOf.get(feature)!;
}
