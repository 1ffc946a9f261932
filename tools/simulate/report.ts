import type { PhaseFigures } from './figures.ts';

type Column = readonly [title: string, show: (figures: PhaseFigures) => string];

const COLUMNS: readonly Column[] = [
  ['phase', ({ phase }) => phase],
  ['requests/s', ({ requestsPerSecond }) => whole(requestsPerSecond)],
  ['memory', ({ memory }) => percent(memory)],
  ['store', ({ store }) => percent(store)],
  ['render', ({ render }) => percent(render)],
  ['waited', ({ waited }) => percent(waited)],
  ['503', ({ refused }) => percent(refused)],
  ['renders/s', ({ rendersPerSecond }) => whole(rendersPerSecond)],
  ['peak', ({ peakRenders }) => whole(peakRenders)],
  ['cores', ({ busyCores }) => busyCores.toFixed(1)],
  ['reads/s', ({ storeReadsPerSecond }) => whole(storeReadsPerSecond)],
  ['writes/s', ({ storeWritesPerSecond }) => whole(storeWritesPerSecond)],
  ['MB/s', ({ storeMbPerSecond }) => whole(storeMbPerSecond)],
  ['store GB', ({ storeGb }) => gigabytes(storeGb)],
  ['memory GB', ({ memoryGb }) => gigabytes(memoryGb)],
  ['stale s', ({ staleSeconds }) => (staleSeconds === undefined ? '' : staleSeconds.toFixed(2))],
  ['old', ({ old }) => whole(old)],
  ['wrong', ({ wrong }) => whole(wrong)],
];

/** The figures of all phases, a line each. */
export function formatPhases(all: readonly PhaseFigures[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...all.map((figures) => COLUMNS.map(([, show]) => show(figures))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** With three digits that count, and commas. */
export function whole(number: number): string {
  return number < 10 && !Number.isInteger(number)
    ? number.toFixed(1)
    : Math.round(number).toLocaleString('en-US');
}

export function gigabytes(number: number): string {
  return number < 10 ? number.toFixed(1) : whole(number);
}
