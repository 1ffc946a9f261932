import { trimOws } from './optional-whitespace.ts';

/**
 * The weight of a member of Accept, Accept-Encoding or Accept-Language (RFC 9110 section 12.4.2). More digits
 * than the grammar allows are accepted, and `.5`, which clients send. A malformed weight counts as 0, so that
 * junk is never preferred.
 *
 * @param parameters - All that follows the first `;`, split at `;`, in lower case.
 */
export function weightOf(parameters: readonly string[]): number {
  const parameter = parameters.map(trimOws).find((text) => text.startsWith('q='));
  if (parameter === undefined) return 1;
  const text = parameter.slice(2);
  const weight = DECIMAL.test(text) ? Number(text) : 0;
  return weight <= 1 ? weight : 0;
}

/** `Number` alone accepts `0x1`, `1e0` and a no-break space too. */
const DECIMAL = /^(?:\d+\.?|\d*\.\d+)$/;
