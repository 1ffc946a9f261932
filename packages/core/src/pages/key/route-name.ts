import { pathOf } from '../../http/target.ts';

const MOST_SEGMENTS = 12;
/** People do not choose longer names for routes. */
const MOST_CHARACTERS = 40;
/** A segment with this many digits is an id, a date or a hash. */
const DIGITS = /\d\D*\d\D*\d/;
const NUMBER = /^\d+$/;

/** A target without a rule as a route: without matrix parameters, and segments that look like values are `*`. */
export function toRouteName(target: string): string {
  const segments = pathOf(target).split('/');
  const named = segments
    .slice(0, MOST_SEGMENTS)
    .map((segment) => segment.split(';', 1)[0]!)
    .map((segment) => (isValue(segment) ? '*' : segment));
  if (segments.length > MOST_SEGMENTS) named.push('**');
  return named.join('/');
}

function isValue(segment: string): boolean {
  if (segment.length > MOST_CHARACTERS || segment.includes('%')) return true;
  return NUMBER.test(segment) || DIGITS.test(segment);
}
