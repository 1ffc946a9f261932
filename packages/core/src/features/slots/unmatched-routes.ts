import { keyOf, showValue } from '../../check-option.ts';
import type { SsrError } from '../../errors.ts';
import type { RouteRules } from '../../pages/policy/route-rules.ts';
import { noticeOfUnmatched } from '../../unmatched-pattern.ts';
import type { Slot } from './slot-options.ts';

/**
 * Says which `routes` of slots match no page of the application.
 *
 * @param patterns - Those of all slots, as rules.
 */
export function noticesOfUnmatchedRoutes(
  slots: readonly Slot[],
  patterns: ReadonlyMap<string, RouteRules>,
  routes: readonly string[],
): readonly SsrError[] {
  const unmatched = new Set([...patterns.values()].flatMap((each) => each.unmatched(routes)));
  return slots.flatMap(({ name, routes: given }) =>
    given
      .filter((pattern) => unmatched.has(pattern))
      .map((pattern) => {
        const subject = `${keyOf('withSlots', name)}.routes: ${showValue(pattern)}`;
        return noticeOfUnmatched(subject, pattern, routes);
      }),
  );
}
