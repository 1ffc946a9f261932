import type { Sample } from '@ng-ssr/core';

const STEPS = '▁▂▃▄▅▆▇█';
const MINUTES = 5;

/** A value of each cell of a line, the oldest first; undefined where there is none. */
export type Series = readonly (number | undefined)[];

/**
 * The last five minutes in this many cells: the mean of the seconds of each. The limits of cells do not move with the
 * clock, so that a picture does not shiver.
 *
 * @param nowMs - The time of the server.
 */
export function seriesOf(
  history: readonly Sample[],
  nowMs: number,
  cells: number,
  valueOf: (sample: Sample) => number,
): Series {
  const cellMs = Math.ceil((MINUTES * 60) / cells) * 1000;
  const last = Math.floor(nowMs / cellMs);
  const sums = new Map<number, { sum: number; count: number }>();
  for (const sample of history) {
    const cell = Math.floor(sample.timeMs / cellMs);
    const { sum, count } = sums.get(cell) ?? { sum: 0, count: 0 };
    sums.set(cell, { sum: sum + valueOf(sample), count: count + 1 });
  }
  return Array.from({ length: cells }, (_, at) => {
    const found = sums.get(last - cells + 1 + at);
    return found && found.sum / found.count;
  });
}

/** @param top - The value of a full cell; by default the largest of the series. */
export function sparkline(series: Series, top = 0): string {
  const known = series.filter((value) => value !== undefined);
  const most = Math.max(top, ...known);
  return series
    .map((value) => {
      if (value === undefined) return ' ';
      if (value <= 0 || most <= 0) return STEPS[0];
      const step = Math.ceil((Math.min(value, most) / most) * (STEPS.length - 1));
      return STEPS[Math.max(1, step)];
    })
    .join('');
}

/** A part of a whole as a bar: `████░░░░`. */
export function bar(part: number, cells: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, part)) * cells);
  return '█'.repeat(filled) + '░'.repeat(cells - filled);
}
