import { aligned } from '../trace/report.ts';
import type { FigureDifference } from './compare-figures.ts';
import type { CaseDifference, TranscriptDifference } from './compare-transcripts.ts';

const MOST_CASES = 20;
const MOST_LINES = 8;

/** A row for each figure that differs. */
export function formatFigures(differences: readonly FigureDifference[]): string {
  if (differences.length === 0) return 'no difference';
  const rows = differences.map(({ name, before, now }) => [
    name,
    String(before ?? '-'),
    String(now ?? '-'),
    before && now !== undefined ? (now / before).toFixed(3) : '-',
  ]);
  return aligned([['figure', 'before', 'now', 'ratio'], ...rows]);
}

/** The cases of one run that differ, the first of them with the lines. */
export function formatTranscripts(name: string, difference: TranscriptDifference): string {
  const { changed, added } = difference;
  const parts = [
    ...changed.slice(0, MOST_CASES).map(formatCase),
    ...(changed.length > MOST_CASES ? [`  ... ${changed.length - MOST_CASES} more`] : []),
    ...added.map((each) => `  new: ${each}`),
  ];
  return [`${name}: ${changed.length} cases differ, ${added.length} are new`, ...parts].join('\n');
}

function formatCase({ name, before, now }: CaseDifference): string {
  const lines = (mark: string, all: readonly string[]): readonly string[] => [
    ...all.slice(0, MOST_LINES).map((line) => `    ${mark} ${line}`),
    ...(all.length > MOST_LINES ? [`    ${mark} ... ${all.length - MOST_LINES} more lines`] : []),
  ];
  return [`  ${name}`, ...lines('-', before), ...lines('+', now)].join('\n');
}
