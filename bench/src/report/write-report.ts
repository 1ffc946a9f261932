import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../scenarios/scenario.ts';
import { drawCharts } from './charts.ts';
import { checkGoals, readGoals } from './goals.ts';
import { toHtml } from './html.ts';
import { writeReadme } from './readme.ts';
import { type Results, resultsFolder } from './results.ts';

/** Draws the charts of a run, writes its report beside the results, and README's part of it. */
export async function writeReport(run: Results, scenarios: readonly Scenario[]): Promise<string> {
  const folder = resultsFolder();
  mkdirSync(folder, { recursive: true });
  const charts = drawCharts(run.rows);
  for (const { name, svg } of charts) writeFileSync(join(folder, `${name}.svg`), `${svg}\n`);
  const file = join(folder, 'report.html');
  writeFileSync(file, toHtml(run, scenarios, charts, checkGoals(readGoals(), run)));
  if (!run.isQuick) await writeReadme(run);
  return file;
}
