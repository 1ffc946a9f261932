/**
 * Whether a version of Node is in the range of a package's `engines`: comparators with `^`, `~`, `>=`, `<` and
 * alternatives, as packages of Angular and ng-ssr write them. A range of another form counts as supporting all.
 */
export function supports(range: string, version: string): boolean {
  const given = numbersOf(version);
  return range
    .split('||')
    .some((alternative) =>
      (alternative.match(/[<>=^~]*\s*\d[\w.+-]*/g) ?? []).every((each) => fits(each, given)),
    );
}

function fits(comparator: string, version: readonly number[]): boolean {
  const [, sign = '', text = ''] = /^([<>=^~]*)\s*(.*)$/.exec(comparator) ?? [];
  const wanted = numbersOf(text);
  const order = compare(version, wanted);
  switch (sign) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '^':
      return order >= 0 && version[0] === wanted[0];
    case '~':
      return order >= 0 && version[0] === wanted[0] && version[1] === (wanted[1] ?? version[1]);
    default:
      return wanted.every((number, at) => number === version[at]);
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const at of [0, 1, 2]) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return version.split(/[-+]/, 1)[0]!.split('.').map(Number).filter(Number.isInteger);
}
