import type { Row } from '../measure/row.ts';
import { bars, byCost, CPU, kindOf } from './bars.ts';
import { type Bar, type Chart, drawBars } from './draw-chart.ts';
import { show } from './table.ts';

const HITS: readonly (readonly [scenario: string, work: string, heading: string])[] = [
  ['hits', 'page', 'A prerendered page of 90 KB'],
  ['hits', 'br', 'The page in Brotli'],
  ['hits', '304', 'The page, not modified'],
  ['hits', 'script', 'A hashed script of 260 KB'],
  ['browser', 'page', 'A prerendered page as a browser asks for it'],
  ['browser', '304', 'The page on the next visit, not modified'],
  ['browser', 'script', 'A hashed script as a browser asks for it'],
];

const THREADS: readonly (readonly [work: string, heading: string])[] = [
  ['page', 'Server threads: a page as a browser asks for it'],
  ['session', 'Server threads: the page behind the check of a signed session'],
];

/** How many times the most of ours and the limits a peer may take before its bar is cut off, so that theirs are seen. */
const LONGEST = 8;

function cutOff(whole: readonly Bar[]): readonly Bar[] {
  const others = whole.filter(({ kind }) => kind !== 'peer').map(({ value }) => value);
  const most = others.length === 0 ? Infinity : Math.max(...others) * LONGEST;
  return whole.map((bar) => (bar.value > most ? { ...bar, value: most, isCut: true } : bar));
}

/** The charts of hits: a scenario without rows has none. */
export function drawHits(rows: readonly Row[]): readonly Chart[] {
  const charts: Chart[] = [];
  const add = (
    scenario: string,
    work: string,
    name: string,
    draw: (rows: readonly Row[]) => string,
  ): void => {
    const own = rows.filter((row) => row.scenario === scenario && row.work === work);
    if (own.length > 0) charts.push({ name: `${scenario}-${name}`, scenario, svg: draw(own) });
  };

  for (const [scenario, work, heading] of HITS) {
    add(scenario, work, work, (own) => {
      const limit = own.find(({ server }) => server.startsWith('limit node'))?.cpuUs?.median;
      const label = (_row: Row, value: number): string =>
        limit === undefined ? show(value) : `${show(value)}  (${show(value / limit)} x)`;
      const text = `${CPU}; in brackets, of the least node:http can do`;
      return drawBars(heading, text, cutOff(byCost(bars(own, ({ cpuUs }) => cpuUs, label))));
    });
  }
  add('browser', 'page', 'bytes', (own) =>
    drawBars(
      'What the page takes on the wire',
      'bytes of the answer to a browser, head and body; less is better',
      byCost(
        own.flatMap((row): readonly Bar[] => {
          if (row.wireBytes === undefined) return [];
          const label = `${show(row.wireBytes)}  (${row.encoding ?? 'no encoding'})`;
          return [{ name: row.server, value: row.wireBytes, label, kind: kindOf(row) }];
        }),
      ),
    ),
  );
  for (const [work, heading] of THREADS) {
    add('threads', work, work, (own) =>
      drawBars(
        heading,
        'requests per second (in brackets: us of server CPU per request, cores that wrk kept busy); more is better',
        bars(
          own,
          ({ requestsPerSecond }) => requestsPerSecond,
          ({ cpuUs, generatorCores }, value) =>
            `${show(value)}  (${show(cpuUs?.median)}, ${show(generatorCores?.median)})`,
        ),
        'blue: ng-ssr, grey: the least node:http can do',
      ),
    );
  }
  return charts;
}
