import type { Row } from '../measure/row.ts';
import type { Results } from './results.ts';

const COLUMNS = [
  ...['first paint', 'slot visible', 'hydrated', 'requests'],
  ...['document bytes', 'script bytes'],
];

/** The table of a run's timelines, for docs/slots.md, which begins with the chart. */
export function toSlotsPage({ rows, versions, machine, again }: Results): string {
  const own = rows.filter(({ scenario }) => scenario === 'timeline');
  const find = (server: string, work: string): Row | undefined =>
    own.find((row) => row.server === server && row.work === work);
  const show = (server: string, work: string): string => whole(find(server, work)?.value?.median);
  const servers = [...new Set(own.map(({ server }) => server))];
  const last = again?.find(({ scenario }) => scenario === 'timeline');
  const slots = 'ng-ssr slots';
  const waiting = 'private page that waits';
  const fetching = 'cached page, client fetch';
  return [
    'The data takes 600 ms on the server. A private page that waits for it is visible after',
    `${show(waiting, 'first paint')} ms. With slots, the page is visible after ${show(slots, 'first paint')} ms, and the data after ${show(slots, 'slot visible')} ms, without another request:`,
    `Angular shows it once the page is hydrated. A browser that fetches it then shows it after ${show(fetching, 'slot visible')} ms.`,
    `As an island, it is visible after ${show('ng-ssr island slots', 'slot visible')} ms: Next.js, Astro and islands put HTML into the page before hydration.`,
    '',
    `| way | ${COLUMNS.join(' | ')} |`,
    `| --- ${'| ---: '.repeat(COLUMNS.length)}|`,
    ...servers.map(
      (server) => `| ${[server, ...COLUMNS.map((work) => show(server, work))].join(' | ')} |`,
    ),
    '',
    `Milliseconds, medians of ${last?.rounds ?? '-'} interleaved visits with an empty cache in Chromium, which emulates 1.6 Mbit/s and`,
    `150 ms of latency; ${machine.cpu} with ${machine.cores} cores, Node ${versions['node']}, ${last?.date.slice(0, 10) ?? '-'}. The pages have the same content`,
    `and one button; Next.js and Astro use React. Times vary between runs: compare only rows of this table`,
    `(${find(slots, 'hydrated')?.note ?? '-'}).`,
    '`npm run bench -- --only timeline --rounds 9` measures them.',
    '',
    ...costs(rows, again),
  ].join('\n');
}

const ENCODINGS = [
  ['page', 'no encoding'],
  ...['br', 'gzip'].map((encoding) => [encoding, encoding] as const),
] as const;

/** What the server does for a page with slots, beside the same page without. */
function costs(rows: readonly Row[], again: Results['again']): readonly string[] {
  const own = rows.filter(({ scenario }) => scenario === 'slots');
  const find = (work: string, server: string): Row | undefined =>
    own.find((row) => row.work === work && row.server === server);
  const show = (row: Row | undefined): string =>
    `${row?.cpuUs?.median.toFixed(1) ?? '-'} (${row?.ratio?.median.toFixed(2) ?? '-'})`;
  const servers = [...new Set(own.filter(({ cpuUs }) => cpuUs).map(({ server }) => server))];
  const firstByte = (server: string): string =>
    find('first byte', server)?.value?.median.toFixed(2) ?? '-';
  const last = again?.find(({ scenario }) => scenario === 'slots');
  const apart = own.flatMap(({ note }) => note?.match(/[\d.]+(?= % apart)/) ?? []).map(Number);
  return [
    'On the server, a page with slots takes more CPU than a cached page. It needs a `Request` and goes through node:http:',
    '',
    `| response | ${ENCODINGS.map(([, title]) => title).join(' | ')} |`,
    `| --- ${'| ---: '.repeat(ENCODINGS.length)}|`,
    ...servers.map(
      (server) =>
        `| ${[server, ...ENCODINGS.map(([work]) => show(find(work, server)))].join(' | ')} |`,
    ),
    '',
    'Microseconds of CPU per request, and in brackets the ratio to the first row in the same rounds. Rows with "again" repeat a',
    `measurement, and differ by up to ${Math.round(Math.max(...apart))} % in this run. Smaller differences mean nothing.`,
    `The first byte of a page whose slot takes 600 ms comes after ${firstByte('a page with a slot that takes 600 ms')} ms, beside ${firstByte('a hit')} ms for a cached page.`,
    `Medians of ${last?.rounds ?? '-'} rounds, ${last?.date.slice(0, 10) ?? '-'}.`,
    '`npm run bench -- --only slots --rounds 9` measures them.',
  ];
}

function whole(value: number | undefined): string {
  return value === undefined ? '-' : Math.round(value).toLocaleString('en-US');
}
