import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { scenarios } from '../../../../bench/src/scenarios/index.ts';
import type { Bar, Chart, Machine, Question } from '../../src/app/benchmarks/chart.ts';
import { root } from '../repository.ts';
import { groupBy } from './group-by.ts';
import { type Measure, MEASURES, MORE_IS_BETTER } from './measures.ts';
import type { Results, Row } from './results.ts';

/** The newest results of each machine that has some; a whole run counts before a quick one. */
export function readMachines(): readonly Machine<Chart>[] {
  const files = globSync('bench/results/*/*.json', { cwd: root }).sort();
  const folders = groupBy(files, (file) => dirname(file));
  return [...folders].map(([folder, runs]) => {
    const [newest] = runs
      .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Results)
      .sort((a, b) => Number(a.isQuick) - Number(b.isQuick) || b.date.localeCompare(a.date));
    return toMachine(basename(folder), newest!);
  });
}

function toMachine(name: string, run: Results): Machine<Chart> {
  const { cpu, cores, separation } = run.machine;
  const description = `${cpu}, ${cores} cores, Node ${run.versions['node']}; ${separation}`;
  const measured = groupBy(run.rows, ({ scenario }) => scenario);
  // In the order of the report; results may be of a scenario that is no more.
  const names = new Set([...scenarios.map((scenario) => scenario.name), ...measured.keys()]);
  const questions = [...names].map((of) => toQuestion(run, of, measured.get(of) ?? []));
  return { name, description, questions: questions.filter(({ charts }) => charts.length > 0) };
}

function toQuestion(run: Results, name: string, rows: readonly Row[]): Question<Chart> {
  const { date, commit } = run.again?.find(({ scenario }) => scenario === name) ?? run;
  const works = groupBy(rows, ({ work }) => work);
  return {
    id: name,
    title: scenarios.find((scenario) => scenario.name === name)?.title ?? name,
    date: date.slice(0, 10),
    commit,
    charts: [...works].flatMap(([work, own]) =>
      MEASURES.flatMap((measure) => toChart(work, own, measure)),
    ),
  };
}

function toChart(work: string, rows: readonly Row[], measure: Measure): readonly Chart[] {
  const bars = rows.flatMap((row) => toBar(row, measure));
  if (bars.length < 2) return [];
  const unit = measure.unit ?? rows[0]!.unit ?? '';
  const isLessBetter = measure.isLessBetter ?? !MORE_IS_BETTER.includes(unit);
  const sign = isLessBetter ? 1 : -1;
  return [
    {
      id: `${work}/${measure.field}`,
      title: measure.name === undefined ? work : `${work}: ${measure.name}`,
      unit,
      isLessBetter,
      bars: bars.sort((a, b) => sign * (a.median - b.median)),
    },
  ];
}

function toBar(row: Row, { field }: Measure): readonly Bar[] {
  const spread = row.voidBecause === undefined ? row[field] : undefined;
  if (spread === undefined) return [];
  const { median, min, max } = spread;
  const name = row.x === undefined ? row.server : `${row.server}, ${row.x.toLocaleString('en-US')}`;
  return [{ name, kind: kindOf(row.server), median, min, max }];
}

const LIMIT = /^(limit|bare|idle|empty)/;
/** As the scenarios name what is not of this project. */
const PEER =
  /^(Angular|CommonEngine|AngularNodeAppEngine|sirv|nginx|React|Vue|Solid|Svelte|Next\.js|Astro|hono serveStatic|@)|compression/;

function kindOf(server: string): Bar['kind'] {
  if (LIMIT.test(server)) return 'limit';
  return PEER.test(server) ? 'peer' : 'ours';
}
