import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../scenarios/scenario.ts';
import { drawCharts } from './charts.ts';
import { checkGoals, readGoals } from './goals.ts';
import { toHtml } from './html.ts';
import { isWhole, publish } from './publish.ts';
import { drawReadmeChart, README_CHART } from './readme-chart.ts';
import { reportFolder, type Results } from './results.ts';

/** Draws the charts of a run, writes its report beside the results, and its parts of README and docs. */
export async function writeReport(run: Results, scenarios: readonly Scenario[]): Promise<string> {
  const folder = reportFolder(run);
  mkdirSync(folder, { recursive: true });
  const charts = drawCharts(run.rows);
  for (const { name, svg } of charts) writeFileSync(join(folder, `${name}.svg`), `${svg}\n`);
  if (run.isPart !== true) writeFileSync(join(folder, README_CHART), `${drawReadmeChart(run)}\n`);
  const file = join(folder, 'report.html');
  writeFileSync(file, toHtml(run, scenarios, charts, checkGoals(readGoals(), run)));
  if (isWhole(run)) await publish(run);
  return file;
}
