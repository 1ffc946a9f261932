/** How units are written after a number, and what one counts. */
const UNITS: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  bytes: { k: [1024], m: [1024, 1024], g: [1024, 1024, 1024] },
  seconds: { s: [1], m: [60], h: [3600], d: [86_400] },
  milliseconds: { ms: [1], s: [1000], m: [60_000], h: [3_600_000] },
};

const WRITTEN = /^\s*(\d{1,9})\s*([a-z]*)\s*$/i;

/**
 * The number that a text such as `'64mb'` or `'60'` means, as users write it.
 *
 * @param unit - What the option counts.
 * @param isAllowed - Whether the option takes a number.
 * @returns undefined for other values.
 */
export function meantNumber(
  value: unknown,
  unit: string | undefined,
  isAllowed: (number: number) => boolean,
): string | undefined {
  const [, digits, written = ''] = (typeof value === 'string' && WRITTEN.exec(value)) || [];
  if (digits === undefined) return undefined;
  const ending = unit === 'bytes' ? /(?<=[kmg])i?b$/ : /(?<=^m)in$/;
  const name = written.toLowerCase().replace(ending, '');
  const known = UNITS[unit ?? ''] ?? {};
  const factors = name === '' ? [] : Object.hasOwn(known, name) ? known[name]! : undefined;
  if (factors === undefined) return undefined;
  const number = factors.reduce((product, factor) => product * factor, Number(digits));
  if (!isAllowed(number)) return undefined;
  return unit === 'bytes' ? [Number(digits), ...factors].join(' * ') : String(number);
}
