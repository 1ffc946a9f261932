import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../scenarios/scenario.ts';
import { drawCharts } from './charts.ts';
import { checkGoals, readGoals } from './goals.ts';
import { toHtml } from './html.ts';
import { type Results, resultsFolder } from './results.ts';

/** Draws the charts of a run and writes its report beside the results. */
export function writeReport(run: Results, scenarios: readonly Scenario[]): string {
  const folder = resultsFolder();
  mkdirSync(folder, { recursive: true });
  const charts = drawCharts(run.rows);
  for (const { name, svg } of charts) writeFileSync(join(folder, `${name}.svg`), `${svg}\n`);
  const file = join(folder, 'report.html');
  writeFileSync(file, toHtml(run, scenarios, charts, checkGoals(readGoals(), run)));
  return file;
}
