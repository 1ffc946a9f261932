import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toBenchmarksPage } from './benchmarks-page.ts';
import { putBetweenMarks } from './between-marks.ts';
import { toReadmeChart } from './readme-chart.ts';
import { toEarlyHintsTable } from './early-hints-table.ts';
import type { Results } from './results.ts';
import { toSlotsPage } from './slots-page.ts';

const root = join(import.meta.dirname, '../../..');

/** A page of the repository with a part that the benchmark writes. */
interface PublishedPage {
  readonly file: string;
  readonly toPart: (run: Results) => string;
}

/** The pages, relative to the repository. */
export const PUBLISHED: readonly PublishedPage[] = [
  {
    file: 'README.md',
    toPart: (run) => toReadmeChart(run, `bench/results/${run.machine.name}`),
  },
  {
    file: 'docs/benchmarks.md',
    toPart: (run) => toBenchmarksPage(run, `../bench/results/${run.machine.name}`),
  },
  {
    file: 'docs/slots.md',
    toPart: toSlotsPage,
  },
  {
    file: 'bench/findings.md',
    toPart: toEarlyHintsTable,
  },
];

/** Whether a run has all that the pages show. */
export function isWhole({ isQuick, isPart = false }: Pick<Results, 'isQuick' | 'isPart'>): boolean {
  return !isQuick && !isPart;
}

/** Writes the parts of a whole run into the pages. */
export async function publish(run: Results): Promise<void> {
  for (const { file, toPart } of PUBLISHED) {
    const path = join(root, file);
    writeFileSync(path, await putBetweenMarks(readFileSync(path, 'utf8'), toPart(run)));
  }
}
