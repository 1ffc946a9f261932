import type { Row } from '../measure/row.ts';
import type { Spread } from '../measure/spread.ts';
import type { Bar } from './draw-chart.ts';

/** What most bars are. */
export const CPU = 'server CPU per request in microseconds, user and system; less is better';

/** Whose a row is. */
export function kindOf({ server }: Row): Bar['kind'] {
  if (server.startsWith('limit') || server === 'bare engine') return 'limit';
  if (!server.startsWith('ng-ssr')) return 'peer';
  return server.includes('before-middleware') ? 'early' : 'ours';
}

/** A bar for each row that has the number. */
export function bars(
  rows: readonly Row[],
  pick: (row: Row) => Spread | undefined,
  label: (row: Row, value: number) => string,
): readonly Bar[] {
  return rows.flatMap((row) => {
    const value = pick(row)?.median;
    if (value === undefined) return [];
    const name = row.server.replace(/ \((CommonEngine|script)\)$/, '');
    return [{ name, value, label: label(row, value), kind: kindOf(row) }];
  });
}

/** The shortest first. */
export function byCost(rows: readonly Bar[]): readonly Bar[] {
  return [...rows].sort((a, b) => a.value - b.value);
}
