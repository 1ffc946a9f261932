import { SsrError } from '../errors.ts';
import type { PageMarks, PageTrait } from '../pages/traits/page-trait.ts';
import { PageTraits } from '../pages/traits/page-traits.ts';
import type { OwnFeature } from './own-feature.ts';

type Report = (error: SsrError) => void;

/** The traits of features. Those of these packages have a stage of their own, and are not watched. */
export function traitsOf(features: readonly OwnFeature[], report: Report): PageTraits {
  return PageTraits.join(
    features.flatMap(({ name, trait, traitStage }) => {
      if (trait === undefined) return [];
      if (traitStage !== undefined) return { trait, stage: traitStage };
      return { trait: watchTrait(name, trait, report), stage: 'headers' };
    }),
  );
}

/**
 * The trait of a feature, whose failures name the feature: a request that it fails for is a 500. Where it is told what has
 * happened, a failure is reported and changes nothing.
 */
function watchTrait(name: string, trait: PageTrait, report: Report): PageTrait {
  const fail = (member: string, cause: unknown): SsrError => {
    const message = `the trait of the feature ${name} has thrown in ${member}`;
    const error =
      cause instanceof SsrError ? cause : new SsrError('NG_SSR_FEATURE_FAILED', message, { cause });
    report(error);
    return error;
  };
  const watched = <Args extends unknown[], Value>(
    member: string,
    run: (...args: Args) => Value,
  ): ((...args: Args) => Value) => {
    return (...args) => {
      try {
        return assertNoPromise(run(...args));
      } catch (cause) {
        throw fail(member, cause);
      }
    };
  };
  const told = <Args extends unknown[]>(
    member: string,
    tell: (...args: Args) => unknown,
  ): ((...args: Args) => void) => {
    return (...args) => {
      try {
        const returned = tell(...args);
        if (returned instanceof Promise) returned.catch((cause) => void fail(member, cause));
      } catch (cause) {
        fail(member, cause);
      }
    };
  };
  const marks = (given: PageMarks): PageMarks => ({
    ...given,
    ...(given.headers && { headers: watched('headers', (kept) => given.headers!(kept)) }),
    ...(given.choose && { choose: (...args) => given.choose!(...args) }),
    ...(given.wanted && { wanted: (...args) => given.wanted!(...args) }),
    ...(given.stored && { stored: told('stored', (...args) => given.stored!(...args)) }),
    ...(given.dropped && { dropped: told('dropped', (...args) => given.dropped!(...args)) }),
  });
  return {
    ...(trait.check && { check: watched('check', (...args) => trait.check!(...args)) }),
    ...(trait.refuse && { refuse: watched('refuse', (...args) => trait.refuse!(...args)) }),
    ...(trait.fillOf && {
      fillOf: watched('fillOf', (answer) => {
        const fill = assertNoPromise(trait.fillOf!(answer));
        return fill && watched('a fill', fill);
      }),
    }),
    ...(trait.keep && {
      keep: watched('keep', (...args) => {
        const given = assertNoPromise(trait.keep!(...args));
        return given && marks(given);
      }),
    }),
    ...(trait.pass && { pass: watched('pass', (...args) => trait.pass!(...args)) }),
    ...(trait.toStored && { toStored: watched('toStored', (page) => trait.toStored!(page)) }),
    ...(trait.fromStored && {
      // A page that cannot be used is a miss.
      fromStored: (page) => {
        try {
          return trait.fromStored!(page);
        } catch (cause) {
          fail('fromStored', cause);
          return undefined;
        }
      },
    }),
  };
}

function assertNoPromise<Value>(value: Value): Value {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new TypeError('it has given a promise, which nothing waits for');
}
