const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count: number): string {
  let amount = count;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

export function count(amount: number): string {
  return amount.toLocaleString('en-US');
}

export function milliseconds(ms: number): string {
  if (ms < 10) return `${ms === 0 ? 0 : ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : seconds(ms / 1000);
}

const PARTS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units. */
export function seconds(amount: number): string {
  let left = Math.abs(Math.round(amount));
  const shown: string[] = [];
  for (const [name, size] of PARTS) {
    if (left < size || shown.length === 2) continue;
    shown.push(`${Math.floor(left / size)} ${name}`);
    left %= size;
  }
  return `${amount < 0 ? '-' : ''}${shown.join(' ') || '0 s'}`;
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
