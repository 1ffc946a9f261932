import type { WireResponse } from '@ng-ssr/conformance/results';
import { toStableText } from './stable-text.ts';

/** Headers that depend on the bytes of the body. */
const OF_BODY = new Set(['etag', 'content-length']);

/**
 * The headers of a response as lines, in the order in which they were sent, without the seconds of the clock.
 *
 * @param hasStableBody - Whether two runs have the same body: else its tag and length are left out.
 */
export function toStableHeaders(
  { headers }: WireResponse,
  hasStableBody: boolean,
  nowMs: number,
): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${stable(name.toLowerCase(), value)}`);

  function stable(name: string, value: string): string {
    if (name === 'age') return value.replace(/^\d+$/, '<seconds>');
    if (name === 'cache-status') return value.replaceAll(/(ttl=-?)\d+/g, '$1<seconds>');
    if (OF_BODY.has(name) && !hasStableBody) return '<of the body>';
    return toStableText(value, nowMs);
  }
}
