import { check } from '../check-option.ts';
import { option, type Option, withDefault } from '../options/option.ts';
import type { Feature } from './feature.ts';

const list: Option<readonly Feature[]> = option(
  (given) => Array.isArray(given),
  'a list of features, as in [withCalls({ ... })]',
);

const given: Option<readonly Feature[]> = (name, value) => {
  const features = list(name, value);
  const names = new Set<string>();
  for (const [at, feature] of features.entries()) {
    const item = `${name}[${at}]`;
    check(item, feature, isFeature(feature), 'a feature: an object with a name and install(core)');
    const allowed = `features with different names; there is another one named ${feature.name}`;
    check(item, feature.name, !names.has(feature.name), allowed);
    names.add(feature.name);
  }
  return features;
};

/** The option `features`. */
export const features: Option<readonly Feature[]> = withDefault(given, []);

function isFeature(given: unknown): boolean {
  const { name, install } = Object(given) as Partial<Feature>;
  return typeof name === 'string' && name !== '' && typeof install === 'function';
}
