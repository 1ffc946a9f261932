import { showValue } from './check-option.ts';
import { SsrError } from './errors.ts';
import { suggestionFor } from './suggestion.ts';

/**
 * Says that a pattern matches no page of the application, for the most part because of a typing mistake.
 *
 * @param subject - The pattern as the subject of a sentence, with its option.
 */
export function noticeOfUnmatched(
  subject: string,
  pattern: string,
  routes: readonly string[],
): SsrError {
  const meant = suggestionFor(pattern, routes);
  const advice = meant === undefined ? '' : `. Did you mean ${showValue(meant)}?`;
  const message = `${subject} matches no route of the application${advice}`;
  return new SsrError('NG_SSR_OPTION_INVALID', message);
}
