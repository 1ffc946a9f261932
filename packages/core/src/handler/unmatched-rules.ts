import { keyOf } from '../check-option.ts';
import type { SsrError } from '../errors.ts';
import { noticeOfUnmatched } from '../unmatched-pattern.ts';
import type { Parts } from './compose-on-node.ts';

/** Says which patterns of rules and features match no page of the application, once the engine has said its routes. */
export function noticesOfUnmatched({ core, server, runtime }: Parts): readonly SsrError[] {
  const routes = runtime.constantPages.routes ?? [];
  if (routes.length === 0) return [];
  return [
    ...core.rules
      .unmatched(routes)
      .map((pattern) => noticeOfUnmatched(keyOf('routeRules', pattern), pattern, routes)),
    ...[...server.extensions.values()].flatMap((each) => each.unmatched?.(routes) ?? []),
  ];
}
