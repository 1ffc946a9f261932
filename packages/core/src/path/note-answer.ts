import { SsrError } from '../errors.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import { invalidatedTargets, isUnsafe, type RouteAnswer } from '../pages/policy/invalidation.ts';
import type { PathParts } from './path-parts.ts';

type Parts = Pick<PathParts, 'endpoints' | 'failures' | 'options' | 'pages'>;

/** Invalidates the stored pages that the answer of a user's route has changed. Never throws: an error is reported. */
export function noteAnswer(read: () => ParsedRequest, answer: RouteAnswer, parts: Parts): void {
  try {
    invalidate(read(), answer, parts);
  } catch (cause) {
    const message = 'A request or its response could not be read to invalidate cached pages';
    parts.failures.report(new SsrError('NG_SSR_HANDLER_FAILED', message, { cause }));
  }
}

function invalidate(request: ParsedRequest, answer: RouteAnswer, parts: Parts): void {
  const { endpoints, options, pages } = parts;
  if (!options.invalidates || !isUnsafe(request.method)) return;
  if (request.site.verdict === 'asked') {
    return void request.decide().then(() => noteAnswer(() => request, answer, parts));
  }
  if (!request.isWellFormed || request.site.verdict !== 'allowed') return;
  if (endpoints.some((each) => each.matches(request))) return;
  const targets = invalidatedTargets(request.origin, request.target, answer);
  for (const target of targets) pages.invalidate(target);
}
