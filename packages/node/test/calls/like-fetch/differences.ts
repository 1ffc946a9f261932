/** The members in which two values of plain data differ, one a line. */
export function differencesOf(expected: unknown, actual: unknown, path = ''): string[] {
  if (isNested(expected) && isNested(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      differencesOf(expected[name], actual[name], `${path}/${name}`),
    );
  }
  const [one, other] = [JSON.stringify(expected), JSON.stringify(actual)];
  return one === other ? [] : [`${path}: fetch ${one}, calls ${other}`];
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
