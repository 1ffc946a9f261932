import { keyOf, showValue } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import type { RouteRules } from '../pages/policy/route-rules.ts';
import { suggestionFor } from '../suggestion.ts';

/** Says which rules apply to no page of the application, for the most part because of a typing mistake. */
export function noticesOfUnmatchedRules(
  rules: RouteRules,
  routes: readonly string[] | undefined,
): SsrError[] {
  if (routes === undefined || routes.length === 0) return [];
  return rules.unmatched(routes).map((pattern) => {
    const meant = suggestionFor(pattern, routes);
    const advice = meant === undefined ? '' : `. Did you mean ${showValue(meant)}?`;
    const message = `${keyOf('routeRules', pattern)} matches no route of the application${advice}`;
    return new SsrError('NG_SSR_OPTION_INVALID', message);
  });
}
