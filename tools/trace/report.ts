import { type AllFigures, FIGURES, repeatedCalls } from './figures.ts';
import type { Step } from './recorder.ts';

type Row = readonly string[];

/** A row for each journey, and a column for each figure of each adapter; `-` where it does not make the journey. */
export function formatTable(all: AllFigures, adapters: readonly string[]): string {
  const head: Row[] = [
    ['', ...adapters.flatMap((adapter) => FIGURES.map((_, index) => (index ? '' : adapter)))],
    ['journey', ...adapters.flatMap(() => FIGURES)],
  ];
  const rows = Object.entries(all).map(([journey, byAdapter]) => [
    journey,
    ...adapters.flatMap((adapter) =>
      FIGURES.map((name) => String(byAdapter[adapter]?.[name] ?? '-')),
    ),
  ]);
  return aligned([...head, ...rows]);
}

/** A row for each journey and adapter: the earlier figures, and those of now. */
export function formatComparison(now: AllFigures, earlier: AllFigures): string {
  const rows = Object.entries(now).flatMap(([journey, byAdapter]) =>
    Object.entries(byAdapter).map(([adapter, figures]) => {
      const before = earlier[journey]?.[adapter];
      const changes = FIGURES.map((name) => `${before?.[name] ?? '-'} -> ${figures[name]}`);
      return [journey, adapter, ...changes];
    }),
  );
  return aligned([['journey', 'adapter', ...FIGURES], ...rows]);
}

/** The first column to the left, the others to the right. */
export function aligned(rows: readonly Row[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** Of a step in {@link formatPath}. */
const MARKS: Readonly<Record<Step['kind'], string>> = { call: '', back: '< ', resume: '~ ' };

/**
 * One line for each step, with the file and the function, and further to the right with each change of
 * file on the call stack. Steps back to a caller in the same file are left out.
 */
export function formatPath(steps: readonly Step[]): string {
  const shown = steps.filter(
    ({ kind, file }, index) => kind !== 'back' || file !== steps[index - 1]?.file,
  );
  const lines = shown.map(
    ({ kind, file, name, depth }) => `${'  '.repeat(depth)}${MARKS[kind]}${file}  ${name}`,
  );
  const repeated = repeatedCalls(steps).map(
    ([call, count]) => `${String(count).padStart(4)}  ${call}`,
  );
  return [
    '< back to the caller   ~ resumed after an await or a yield',
    '',
    ...lines,
    '',
    'called more than once:',
    ...repeated,
  ].join('\n');
}
