import type { Chart, Machine, Question } from '../../src/app/benchmarks/chart.ts';
import { findShown, toHeads } from '../benchmarks/chart-data.ts';

/** An article around what its page shows in it: what is above that, and below. */
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

/** The title of the README and its first paragraph: the home page begins with a claim of its own. */
const TITLE = /^<h1[^]*?<\/h1>\n<p>[^]*?<\/p>\n/;
/** The image in the README whose place the chart of the newest results takes. */
const IMAGE = /<p><img src="\/images\/bench\/results\/[^>]*><\/p>\n?/;

/** What the chart of the home page compares; docs/benchmarks.md has all bars. */
const COMPARED = [
  'limit node:http',
  'ng-ssr fastify',
  'ng-ssr express',
  'ng-ssr koa',
  'Angular scaffold',
  'Angular scaffold + compression',
];

/** The README, with a chart in place of the image. */
export function toHome(html: string, machines: readonly Machine<Chart>[]): Home {
  const { id, title, date, commit } = machines[0]!.questions.find(({ id }) => id === 'browser')!;
  const chart = findShown(machines);
  const below = html.replace(TITLE, '');
  return {
    parts: cut(below, below.search(IMAGE), 'README.md', IMAGE),
    question: { id, title, date, commit },
    shown: { ...chart, bars: chart.bars.filter(({ name }) => COMPARED.includes(name)) },
  };
}

/** docs/errors.md, with its codes apart from its introduction. */
export function toErrors(html: string): InParts {
  return { parts: cut(html, html.indexOf('<h2'), 'docs/errors.md') };
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
  if (at === -1) throw new Error(`${file} cannot be cut in two`);
  return [html.slice(0, at), html.slice(at).replace(without, '')];
}
