import type { Row } from '../measure/row.ts';
import type { Spread } from '../measure/spread.ts';
import { type Bar, type Chart, type Curve, drawBars, drawCurves } from './draw-chart.ts';
import { bars, byCost, CPU } from './bars.ts';
import { drawHits } from './hit-charts.ts';
import { show } from './table.ts';
import { drawTimeline } from './timeline-chart.ts';

function kindOfRender(server: string): Bar['kind'] {
  if (!server.startsWith('ng-ssr')) return 'peer';
  return server.includes('fast: false') ? 'early' : 'ours';
}

const TASKS: readonly (readonly [work: string, heading: string])[] = [
  ['table', 'A table of a thousand rows (the task of eknkc/ssr-benchmark)'],
  ['spiral', "A spiral of 2,398 tiles (the task of Platformatic's SSR showdown)"],
];

/** Every chart of a run; a scenario without rows has none. */
export function drawCharts(rows: readonly Row[]): readonly Chart[] {
  const of = (scenario: string, work?: string): readonly Row[] =>
    rows.filter((row) => row.scenario === scenario && (work === undefined || row.work === work));
  const cpu = ({ cpuUs }: Row): Spread | undefined => cpuUs;
  const charts: Chart[] = [...drawHits(rows)];
  const add = (name: string, scenario: string, draw: (rows: readonly Row[]) => string): void => {
    const own = of(scenario);
    if (own.length > 0) charts.push({ name, scenario, svg: draw(own) });
  };

  add('stored', 'stored', () =>
    drawBars(
      'A stored page beside the same page prerendered',
      CPU,
      bars(of('stored', 'page'), cpu, (_row, value) => show(value)).map((bar) => ({
        ...bar,
        kind: bar.name.endsWith('stored') ? 'ours' : 'limit',
      })),
    ),
  );
  add('timeline', 'timeline', drawTimeline);
  add('ladder', 'ladder', (own) => {
    const first = own.find(({ published }) => published === 1)?.cpuUs?.median ?? Number.NaN;
    return drawBars(
      "The article's ladder: times cheaper than its first step",
      'first step over each, in server CPU per request; in brackets, the ratio the article publishes',
      bars(
        own,
        ({ cpuUs }) =>
          cpuUs && {
            median: first / cpuUs.median,
            min: first / cpuUs.max,
            max: first / cpuUs.min,
          },
        ({ published }, value) =>
          `${show(value)} x${published === undefined ? '' : `  (${show(published)})`}`,
      ),
    );
  });
  add('miss', 'miss', (own) => {
    const bare = own.find(({ server }) => server === 'bare engine')?.cpuUs?.median ?? Number.NaN;
    return drawBars(
      'A page rendered for each request',
      `${CPU}; in brackets, of the engine called bare`,
      bars(own, cpu, (_row, value) => `${show(value)}  (${(value / bare).toFixed(3)} x)`),
    );
  });
  add('mixed', 'mixed', () =>
    drawBars(
      '90 % hits, 10 % renders: how long hits wait',
      'p99 of the hits in milliseconds on 20 connections, all in one process; less is better',
      byCost(
        bars(
          of('mixed', 'hits'),
          ({ p99Ms }) => p99Ms,
          (_row, value) => `${show(value)} ms`,
        ),
      ),
    ),
  );

  add('saturation', 'saturation', () =>
    drawBars(
      'Hits at 300 per second beside renders at saturation',
      'p99 of the hits in milliseconds; less is better',
      bars(
        of('saturation', 'hits p99'),
        ({ value }) => value,
        (_row, value) => `${show(value)} ms`,
      ).map((bar) => ({ ...bar, kind: bar.name === 'idle' ? 'limit' : 'ours' })),
    ),
  );

  add('goodput', 'goodput', (own) => {
    const loads = own.filter(({ work }) => work.endsWith(' x'));
    const curve = (server: string): Curve => ({
      name: server,
      family: server,
      points: loads.flatMap((row) =>
        row.server === server ? [[row.x!, row.value!.median] as const] : [],
      ),
    });
    return drawCurves(
      'Pages in time under sustained overload',
      'percent of the pages that the server can render; visitors wait 2.5 seconds; more is better',
      'private pages asked for, of what can be rendered',
      [...new Set(loads.map(({ server }) => server))].map(curve),
    );
  });

  const grow = (scenario: string, heading: string, x: string, name: (row: Row) => string): void =>
    add(scenario, scenario, (own) => {
      const curves = new Map<string, [number, number][]>();
      for (const row of own) {
        if (row.x === undefined || row.cpuUs === undefined) continue;
        const points = curves.get(name(row)) ?? [];
        points.push([row.x, row.cpuUs.median]);
        curves.set(name(row), points);
      }
      return drawCurves(
        heading,
        CPU,
        x,
        [...curves].map(([of, points]) => ({
          name: of,
          family: of.split(' ')[0] ?? of,
          points,
        })),
      );
    });
  grow('growth-held', 'Hits while more pages are held', 'held pages', () => 'node');
  grow(
    'growth-middleware',
    'Hits while more middlewares are registered',
    'registered middlewares',
    ({ work }) => work,
  );
  grow('growth-connections', 'Hits on more connections', 'connections', ({ server }) => server);
  grow('growth-size', 'Hits on larger pages', 'KiB per page', () => 'node');

  add('logging', 'logging', (own) =>
    drawBars(
      'A line logged for each request',
      CPU,
      bars(own, cpu, (_row, value) => show(value)).map((bar) => ({ ...bar, kind: 'ours' })),
    ),
  );
  add('dictionaries', 'dictionaries', (own) =>
    drawBars(
      'A visit with compression dictionaries',
      'bytes of content on the wire: five pages of the example, the same from the shop on, and after a deploy of one line; less is better',
      bars(
        own,
        ({ value }) => value,
        (_row, value) => show(value),
      ).map((bar, at) => ({
        ...bar,
        name: `${own[at]!.work}: ${bar.name}`,
        kind: bar.name.startsWith('dc') ? 'ours' : 'peer',
      })),
      'blue: with a dictionary, amber: without',
    ),
  );
  add('micro', 'micro', () =>
    drawBars(
      'The parts of a hit, without any server',
      'nanoseconds per call; less is better',
      bars(
        of('micro', 'hit'),
        ({ value }) => value,
        (_row, value) => `${show(value)} ns`,
      ).map((bar) => ({ ...bar, kind: 'ours' })),
    ),
  );
  add('entity-tags', 'entity-tags', () =>
    drawBars(
      'An ETag of 68 KiB',
      'nanoseconds per call; less is better',
      byCost(
        bars(
          of('entity-tags', '68 KiB Buffer'),
          ({ value }) => value,
          (_row, value) => `${show(value)} ns`,
        ).map((bar) => ({
          ...bar,
          kind:
            bar.name === 'native' || bar.name === 'twin'
              ? 'ours'
              : bar.name === 'memcpy'
                ? 'limit'
                : 'peer',
        })),
      ),
    ),
  );

  const ofFirst = (scenario: string, heading: string, first: string): void =>
    add(scenario, scenario, (own) =>
      drawBars(
        heading,
        `CPU per render, of ${first} called bare; in brackets, microseconds; less is better`,
        own.flatMap(({ work, server, ratio, cpuUs }) => {
          if (ratio === undefined) return [];
          const kind = kindOfRender(server);
          const label = `${ratio.median.toFixed(2)} x  (${show(cpuUs?.median)})`;
          const name = `${work}: ${server.replace(/^ng-ssr /, '')}`;
          return [{ name, value: ratio.median, label, kind }];
        }),
        'blue: ng-ssr, teal: ng-ssr without its fast path, amber: Angular alone',
      ),
    );
  ofFirst('render', 'A render of three pages, app engine', 'AngularNodeAppEngine');
  ofFirst('render-common', 'A render with critical CSS, CommonEngine', 'CommonEngine');
  ofFirst('render-threads', 'A render in a render thread', 'AngularNodeAppEngine in-process');
  for (const [work, heading] of TASKS) {
    if (of('frameworks', work).length === 0) continue;
    add(`frameworks-${work}`, 'frameworks', () =>
      drawBars(
        heading,
        'CPU per render in microseconds; in brackets, of Angular alone; less is better',
        byCost(
          of('frameworks', work).flatMap(({ server, ratio, cpuUs }) => {
            if (ratio === undefined || cpuUs === undefined) return [];
            const label = `${show(cpuUs.median)}  (${ratio.median.toFixed(2)} x)`;
            const kind = server === 'Angular' ? 'peer' : server === 'ng-ssr' ? 'ours' : 'limit';
            const name = server === 'ng-ssr' ? 'Angular under ng-ssr' : server;
            return [{ name, value: cpuUs.median, label, kind } as const];
          }),
        ),
        'blue: ng-ssr, amber: Angular alone, grey: other frameworks',
      ),
    );
  }
  return charts;
}
