import {
  assertKnownOptions,
  check,
  hasFunctions,
  isOptionObject,
  showValue,
} from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { option, type Option, withDefault } from '../options/option.ts';
import type { Feature } from './feature.ts';
import { isOwn } from './own.ts';

const TRAIT = ['check', 'refuse', 'fillOf', 'keep', 'pass', 'toStored', 'fromStored'];

const list: Option<readonly Feature[]> = option(
  (given) => Array.isArray(given),
  'a list of features, as in [withInspector()]',
);

const given: Option<readonly Feature[]> = (name, value) => {
  const features = list(name, value);
  const names = new Set<string>();
  for (const [at, feature] of features.entries()) {
    const item = `${name}[${at}]`;
    if (typeof feature === 'function') throw notCalled(item, feature);
    const { name: named, install, trait } = Object(feature) as Partial<Feature>;
    check(item, feature, (named ?? install) !== undefined, 'a feature, such as withInspector()');
    const isNamed = typeof named === 'string' && named.length > 0;
    check(`${item}.name`, named, isNamed, "a name, such as 'calls'");
    const isInstalled = typeof install === 'function';
    check(`${item}.install`, install, isInstalled, 'a function (core) => Extension');
    if (names.has(feature.name)) {
      const message = `${item} is a second feature named ${showValue(feature.name)}: remove one of the two`;
      throw new SsrError('NG_SSR_OPTION_INVALID', message);
    }
    names.add(feature.name);
    if (trait === undefined) continue;
    const isTrait = isOptionObject(trait) && hasFunctions(trait, Object.keys(trait));
    check(`${item}.trait`, trait, isTrait, 'an object of functions');
    // What a class has besides is its own.
    if (Object.getPrototypeOf(trait) === Object.prototype) {
      assertKnownOptions(trait, TRAIT, `${item}.trait`);
    }
  }
  return features.map(toKnown);
};

function notCalled(item: string, { name }: { readonly name: string }): SsrError {
  // A bundle shortens the names of functions.
  const [what, example] = name.startsWith('with')
    ? [`the function ${name}`, name]
    : ['a function', 'withInspector'];
  const message = `${item} is ${what}: call it, as in features: [${example}()]`;
  return new SsrError('NG_SSR_OPTION_INVALID', message);
}

/** Of features of others only what they are told of is read. */
function toKnown(feature: Feature): Feature {
  if (isOwn(feature)) return feature;
  const { name, trait } = feature;
  return { name, ...(trait && { trait }), install: (core) => feature.install(core) };
}

/** The option `features`. */
export const features: Option<readonly Feature[]> = withDefault(given, []);
