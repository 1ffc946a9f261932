import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { putBetweenMarks } from '../src/report/between-marks.ts';
import { isWhole, PUBLISHED } from '../src/report/publish.ts';
import { drawReadmeChart, README_CHART } from '../src/report/readme-chart.ts';
import { readNewest } from '../src/report/results.ts';

const root = join(import.meta.dirname, '../..');

it.each(PUBLISHED)('$file has the newest results of the machine that it names', async (page) => {
  const text = readFileSync(join(root, page.file), 'utf8');
  const machine = /\bresults\/([^/]+)\/\w[\w-]*\.svg/.exec(text)?.[1];
  const newest = readNewest(machine);
  expect(newest?.isQuick).toBe(false);
  expect(await putBetweenMarks(text, page.toPart(newest!))).toBe(text);
});

it('the chart of the README has the three servers of the newest results', () => {
  const newest = readNewest('linux-amd-epyc-2-cores')!;
  const file = join(root, 'bench/results', newest.machine.name, README_CHART);
  const chart = drawReadmeChart(newest);
  expect(readFileSync(file, 'utf8')).toBe(`${chart}\n`);
  // A report draws it after other charts.
  expect(drawReadmeChart(newest)).toBe(chart);
  for (const server of ['ng-ssr express', 'Angular scaffold', 'limit node:http']) {
    expect(chart).toContain(`>${server}</text>`);
  }
});

it('a quick run, and some scenarios of a machine, are not published', () => {
  expect([{ isQuick: true }, { isQuick: false, isPart: true }].map(isWhole)).toEqual([
    false,
    false,
  ]);
  expect(isWhole({ isQuick: false })).toBe(true);
});

it('refuses a page without marks', async () => {
  await expect(putBetweenMarks('# Page', 'part')).rejects.toThrow('bench:begin');
});

it('replaces what is between the marks, and nothing else', async () => {
  const page = '# Page\n\n<!-- bench:begin -->\n\nold\n\n<!-- bench:end -->\n\nrest\n';
  expect(await putBetweenMarks(page, 'new')).toBe(page.replace('old', 'new'));
});
