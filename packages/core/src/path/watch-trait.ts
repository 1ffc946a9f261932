import { isSsrError, SsrError } from '../errors.ts';
import type { PageMarks, PageTrait } from '../pages/traits/page-trait.ts';
import { PageTraits } from '../pages/traits/page-traits.ts';
import { isLeftAlone } from '../platform/is-promise.ts';
import type { OwnFeature } from './own-feature.ts';
import { areSendable, describe, isAnswer, refusePromise } from './returned-answer.ts';
import { type Member, watchMembers } from './watch-members.ts';

type Report = (error: SsrError) => void;
const FAILED = 'NG_SSR_FEATURE_FAILED';

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
    const message = `the trait of the feature ${name} threw in ${member}`;
    const error = isSsrError(cause) ? cause : new SsrError(FAILED, message, { cause });
    report(error);
    return error;
  };
  const watched = (run: Member, member: string, check?: (value: unknown) => void): Member => {
    return (...args) => {
      try {
        const value = run(...args);
        if (isLeftAlone(value, () => undefined)) return refusePromise();
        check?.(value);
        return value;
      } catch (cause) {
        throw fail(member, cause);
      }
    };
  };
  const told = (tell: Member, member: string): Member => {
    const report = (cause: unknown): void => void fail(member, cause);
    return (...args) => {
      try {
        isLeftAlone(tell(...args), report);
      } catch (cause) {
        report(cause);
      }
    };
  };
  const keep = (run: Member): Member => {
    const checked = watched(run, 'keep');
    return (...args) => {
      const given = checked(...args) as PageMarks | undefined;
      return (
        given && {
          ...given,
          ...watchMembers(given, ['choose', 'headers', 'wanted'], watched),
          ...watchMembers(given, ['stored', 'dropped'], told),
        }
      );
    };
  };
  const fillOf = (run: Member): Member => {
    const checked = watched(run, 'fillOf');
    return (...args) => {
      const fill = checked(...args);
      return fill && watched(fill as Member, 'a fill', assertAnswer);
    };
  };
  // A page that cannot be used is a miss.
  const fromStored = (run: Member): Member => {
    return (...args) => {
      try {
        return run(...args);
      } catch (cause) {
        return void fail('fromStored', cause);
      }
    };
  };
  return {
    ...watchMembers(trait, ['check', 'refuse', 'pass', 'toStored'], watched),
    ...watchMembers(trait, ['keep'], keep),
    ...watchMembers(trait, ['fillOf'], fillOf),
    ...watchMembers(trait, ['fromStored'], fromStored),
  };
}

function assertAnswer(filled: unknown): void {
  if (isAnswer(filled) && areSendable(filled)) return;
  throw new TypeError(`it returned ${describe(filled)} instead of type Answer`);
}
