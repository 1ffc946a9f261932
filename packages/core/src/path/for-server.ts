import { SsrError } from '../errors.ts';
import type { Feature } from './feature.ts';
import { own } from './own.ts';
import type { OwnFeature, ServerStoring } from './own-feature.ts';

/**
 * A feature that must be known before the files of its server are indexed, by what it adds to documents and pages.
 *
 * @param make - What is of one server. A feature without `install` does nothing more.
 */
export function perServer(
  base: Omit<OwnFeature, 'install' | 'forServer'>,
  make: (storing: ServerStoring) => Partial<OwnFeature>,
): Feature {
  const idle: OwnFeature = { ...base, install: () => ({}) };
  own(idle);
  return own({ ...idle, forServer: (storing) => ({ ...idle, ...make(storing) }) });
}

/** The features of one server. */
export function forServer(
  features: readonly OwnFeature[],
  storing: ServerStoring,
): readonly OwnFeature[] {
  return features.map((each) => each.forServer?.(storing) ?? each);
}

/**
 * Refuses `cache: false` for a feature that does nothing without cached pages.
 *
 * @param feature - As users write it: `withPrewarm()`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function assertStored(feature: string, { isBuilt, isStored }: ServerStoring): void {
  if (isStored || !isBuilt) return;
  const message = `cache is false, but ${feature} needs cached pages: remove one of the two`;
  throw new SsrError('NG_SSR_OPTION_INVALID', message);
}
