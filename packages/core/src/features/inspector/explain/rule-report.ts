import type { RouteRuleOptions } from '../../../pages/options/cache-options.ts';
import type { MatchingRule } from '../../../pages/policy/route-rules.ts';
import type { ParsedRequest } from '../../../pages/parsed-request.ts';
import type { Explanation } from '../protocol.ts';

/** Which rule applies to a request, and why others that match do not. */
export function reportRules(
  { page }: ParsedRequest,
  matching: readonly MatchingRule[],
): Pick<Explanation, 'rule' | 'otherRules'> {
  const [first, ...others] = matching;
  // A path that is another name of its route is never stored, whatever its rule says.
  const settings = toSettings(page.rule ?? first?.rule ?? {});
  return {
    rule: first && { pattern: first.pattern, settings },
    otherRules: others.map(({ pattern }) => ({
      pattern,
      reason: `"${first!.pattern}" is more specific, and only one rule applies`,
    })),
  };
}

/** As JSON can say them. */
function toSettings({ ssr, ...others }: RouteRuleOptions): Readonly<Record<string, unknown>> {
  if (ssr === undefined) return others;
  return { ssr: typeof ssr === 'function' ? 'a function' : ssr, ...others };
}
