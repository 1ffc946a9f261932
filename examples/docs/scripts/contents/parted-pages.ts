import type { Chart, Machine, Question } from '../../src/app/benchmarks/chart.ts';
import { findShown, toHeads } from '../benchmarks/chart-data.ts';

/** An article around its charts: what is above them, and below. */
interface InParts {
  readonly parts: readonly [string, string];
}

interface Home extends InParts {
  readonly question: Omit<Question, 'charts'>;
  readonly shown: Chart;
}

interface Benchmarks extends InParts {
  readonly machines: readonly Machine[];
  readonly shown: Chart;
}

/** The image in the README whose place the chart of the newest results takes. */
const IMAGE = /<p><img src="\/images\/bench\/results\/[^>]*><\/p>\n?/;

/** The README, with a chart in place of the image. */
export function toHome(html: string, machines: readonly Machine<Chart>[]): Home {
  const { id, title, date, commit } = machines[0]!.questions.find(({ id }) => id === 'browser')!;
  return {
    parts: cut(html, html.search(IMAGE), 'README.md', IMAGE),
    question: { id, title, date, commit },
    shown: findShown(machines),
  };
}

/** docs/benchmarks.md, with all charts below its introduction. */
export function toBenchmarks(html: string, machines: readonly Machine<Chart>[]): Benchmarks {
  return {
    parts: cut(html, html.indexOf('<h2'), 'docs/benchmarks.md'),
    machines: toHeads(machines),
    shown: findShown(machines),
  };
}

function cut(html: string, at: number, file: string, without = /^/): readonly [string, string] {
  if (at === -1) throw new Error(`${file} has no place for its charts`);
  return [html.slice(0, at), html.slice(at).replace(without, '')];
}
