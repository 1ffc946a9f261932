import { check, isOptionObject } from '../check-option.ts';
import { option, type Option, withDefault } from '../options/option.ts';
import type { Feature } from './feature.ts';
import { isOwn } from './own.ts';

const list: Option<readonly Feature[]> = option(
  (given) => Array.isArray(given),
  'a list of features, as in [withCalls({ ... })]',
);

const given: Option<readonly Feature[]> = (name, value) => {
  const features = list(name, value);
  const names = new Set<string>();
  for (const [at, feature] of features.entries()) {
    const item = `${name}[${at}]`;
    const isCalled = typeof feature !== 'function';
    check(item, feature, isCalled, 'a feature: is its function called, as in withCalls({ ... })?');
    check(item, feature, Object(feature) === feature, 'a feature, as withCalls({ ... }) makes it');
    check(`${item}.name`, feature.name, isName(feature.name), 'a name, as calls');
    const isInstalled = typeof feature.install === 'function';
    check(`${item}.install`, feature.install, isInstalled, 'a function (core) => Extension');
    const { trait } = feature;
    check(`${item}.trait`, trait, trait === undefined || isTrait(trait), 'an object of functions');
    const allowed = `features with different names; there is another one named ${feature.name}`;
    check(item, feature.name, !names.has(feature.name), allowed);
    names.add(feature.name);
  }
  return features.map(toKnown);
};

/** Of features of others only what they are told of is read. */
function toKnown(feature: Feature): Feature {
  if (isOwn(feature)) return feature;
  const { name, trait } = feature;
  return { name, ...(trait && { trait }), install: (core) => feature.install(core) };
}

/** The option `features`. */
export const features: Option<readonly Feature[]> = withDefault(given, []);

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '';
}

function isTrait(trait: unknown): boolean {
  return (
    isOptionObject(trait) && Object.values(trait).every((member) => typeof member === 'function')
  );
}
