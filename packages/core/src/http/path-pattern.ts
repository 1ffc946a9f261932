/** Whether a pattern has only segments that may stand there: `**` is the last one. */
export function isSegmentPattern(segments: readonly string[]): boolean {
  return segments.every(
    (segment, i) => !/^:|\*/.test(segment) || isWildcard(segment, i === segments.length - 1),
  );
}

/** Whether the segments of a path match those of a pattern: `*` is one segment, `**` any number. */
export function matchesPattern(pattern: readonly string[], path: readonly string[]): boolean {
  for (let i = 0; i < pattern.length; i++) {
    const segment = pattern[i]!;
    // `/products/**` matches `/products` too.
    if (segment === '**') return true;
    if (i >= path.length) return false;
    if (segment !== '*' && segment !== path[i]) return false;
  }
  return pattern.length === path.length;
}

/** Whether there can be a path that matches both patterns. */
export function canBothMatch(one: readonly string[], other: readonly string[]): boolean {
  for (let i = 0; ; i++) {
    const a = one[i];
    const b = other[i];
    if (a === '**' || b === '**') return true;
    if (a === undefined || b === undefined) return a === b;
    if (a !== '*' && b !== '*' && a !== b) return false;
  }
}

/** Orders segment by segment: a literal before `*`, `*` before the end, and the end before `**`. */
export function compareSpecificity(a: readonly string[], b: readonly string[]): number {
  const rank = (segment: string | undefined): number =>
    segment === '**' ? 3 : segment === undefined ? 2 : segment === '*' ? 1 : 0;
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = rank(a[i]) - rank(b[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isWildcard(segment: string, isLast: boolean): boolean {
  return segment === '*' || (segment === '**' && isLast) || /^:[\w$-]+$/.test(segment);
}
