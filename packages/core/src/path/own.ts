import type { Feature } from './feature.ts';
import type { OwnFeature } from './own-feature.ts';

/** For all copies of these packages in a program: a bundler may make several. */
const OWN = Symbol.for('ng-ssr.own-feature');

/** Marks a feature of these packages: members that are not of {@link Feature} are read of these alone. */
export function own(feature: OwnFeature): Feature {
  return Object.assign(feature, { [OWN]: true });
}

export function isOwn(feature: object): boolean {
  return Object.hasOwn(feature, OWN);
}
