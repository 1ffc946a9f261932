import type { Row } from '../measure/row.ts';
import type { Results } from './results.ts';
import { show } from './table.ts';

/**
 * The main charts and tables of a run, for docs/benchmarks.md.
 *
 * @param folder - Of the charts and the report, relative to that page.
 */
export function toBenchmarksPage(run: Results, folder: string): string {
  const { rows, machine, versions, again, date, commit } = run;
  const last = again?.find(({ scenario }) => scenario === 'browser') ?? { date, commit };
  return [
    '## A hit',
    '',
    `Server CPU per request in microseconds, medians, on ${machine.cpu} with ${machine.cores} cores,`,
    `Node ${versions['node']}, Bun ${versions['bun']}, ${last.date.slice(0, 10)}, commit ${last.commit}.`,
    'Requests have all headers that Chromium sends; in the last column, the client takes no encoding. Bytes are on the wire:',
    '',
    `![Server CPU per hit](${folder}/browser-page.svg)`,
    '',
    ...toHits(rows),
    '',
    ...toRenders(rows, folder),
    `[The report](${folder}/report.html) has all charts and numbers.`,
  ].join('\n');
}

/** The hits of each server that a browser has asked. */
function toHits(rows: readonly Row[]): readonly string[] {
  const find = (work: string, server: string): Row | undefined =>
    rows.find(({ id }) => id === `${work}/${server}`);
  const limit = find('browser/page', 'limit node:http')?.cpuUs?.median;
  const lines = rows.flatMap(({ scenario, work, server, cpuUs, encoding, wireBytes }) => {
    if (scenario !== 'browser' || work !== 'page' || cpuUs === undefined) return [];
    const cells = [
      ...[server, show(cpuUs.median), show(limit && cpuUs.median / limit)],
      ...[encoding ?? '-', show(wireBytes)],
      ...['browser/304', 'browser/script', 'hits/page'].map((of) =>
        show(find(of, server)?.cpuUs?.median),
      ),
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  return [
    '| server | page | of the limit | encoding | bytes | 304 | script | page, no encoding |',
    '| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |',
    ...lines,
  ];
}

const RENDERS = [
  ['render', 'AngularNodeAppEngine', 'ng-ssr appEngine()'],
  ['render-common', 'CommonEngine', 'ng-ssr commonEngine()'],
] as const;

/** What renders cost, for each page that has been measured. */
function toRenders(rows: readonly Row[], folder: string): readonly string[] {
  const find = (id: string): Row | undefined => rows.find((row) => row.id === id);
  const works = [
    ...new Set(rows.flatMap(({ scenario, work }) => (scenario === 'render' ? [work] : []))),
  ];
  if (works.length === 0) return [];
  const lines = works.map((work) => {
    const cells = RENDERS.flatMap(([scenario, bare, ours]) => {
      const [theirs, mine] = [bare, ours].map((server) => find(`${scenario}/${work}/${server}`));
      const ratio = mine?.ratio?.median.toFixed(2) ?? '-';
      return [show(theirs?.cpuUs?.median), show(mine?.cpuUs?.median), ratio];
    });
    return `| ${[work, ...cells].join(' | ')} |`;
  });
  const head = RENDERS.flatMap(([, bare, ours]) => [bare, ours.replace('ng-ssr ', ''), 'of it']);
  return [
    '## A render',
    '',
    "CPU per render in microseconds, medians: Angular's engines, and those of ng-ssr, which render the same bytes.",
    'CommonEngine inlines critical CSS. `product` is a page of Angular Material, `large` has 3,500 nodes:',
    '',
    `![CPU per render](${folder}/render.svg)`,
    '',
    `| ${['page', ...head].join(' | ')} |`,
    `| --- ${'| ---: '.repeat(head.length)}|`,
    ...lines,
    '',
  ];
}
