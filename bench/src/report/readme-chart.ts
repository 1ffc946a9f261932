import { type Bar, drawBars } from './draw-chart.ts';
import type { Results } from './results.ts';
import { show } from './table.ts';

/** The servers of the README, by their names in the results: `ng add @ng-ssr/express`, `ng new --ssr`, the limit. */
const SERVERS = {
  ours: 'ng-ssr express',
  peer: 'Angular scaffold',
  limit: 'limit node:http',
} as const satisfies Partial<Record<Bar['kind'], string>>;

/** The file of the chart, beside the results. */
export const README_CHART = 'readme.svg';

/** Three bars for the project's README. */
export function drawReadmeChart(run: Results): string {
  const bars = (['ours', 'peer', 'limit'] as const).flatMap((kind): readonly Bar[] => {
    const value = cpuOf(run, kind);
    return value === undefined ? [] : [{ name: SERVERS[kind], value, label: show(value), kind }];
  });
  return withOwnClasses(
    drawBars(
      'A prerendered page as a browser requests it',
      'server CPU per request in microseconds; less is better',
      bars,
      'blue: after ng add @ng-ssr/express, amber: after ng new --ssr, grey: the least that node:http can do',
    ),
  );
}

/** ECharts counts its classes through all charts of a process. This file is compared with a chart drawn alone. */
function withOwnClasses(svg: string): string {
  const names = [...new Set(svg.match(/\bzr\d+-cls-\d+\b/g))];
  return svg.replace(/\bzr\d+-cls-\d+\b/g, (name) => `zr0-cls-${names.indexOf(name)}`);
}

/**
 * The chart of a run for the project's README, with a sentence about it.
 *
 * @param folder - Of the charts, relative to README.md.
 */
export function toReadmeChart(run: Results, folder: string): string {
  const shown = (kind: keyof typeof SERVERS): string => show(cpuOf(run, kind));
  const { cpu, cores } = run.machine;
  return [
    `![Server CPU per page](${folder}/${README_CHART})`,
    '',
    `A browser requests a prerendered page of 90 KB: \`${SERVERS.ours}\` takes ${shown('ours')} µs of server CPU,`,
    `\`${SERVERS.peer}\` ${shown('peer')} µs. The lower limit, a bare node:http server that sends the same bytes, takes`,
    `${shown('limit')} µs (${cpu}, ${cores} cores). [Benchmarks](docs/benchmarks.md) has all rows.`,
  ].join('\n');
}

function cpuOf({ rows }: Results, kind: keyof typeof SERVERS): number | undefined {
  return rows.find(({ id }) => id === `browser/page/${SERVERS[kind]}`)?.cpuUs?.median;
}
