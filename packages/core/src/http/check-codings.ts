import { check } from '../check-option.ts';
import { CODINGS, type ContentCoding } from './accept-encoding.ts';

/**
 * Checks an option that lists codings.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkCodings(name: string, codings: readonly ContentCoding[]): void {
  const allowed = `a list of ${CODINGS.join(', ')}`;
  check(name, codings, Array.isArray(codings), allowed);
  for (const coding of codings) check(name, coding, CODINGS.includes(coding), allowed);
}
