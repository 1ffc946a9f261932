import type { Row } from '../measure/row.ts';
import type { Quartiles, Spread } from '../measure/spread.ts';

/** A number with as many digits as help. */
export function show(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** The median, with the spread of the rounds where there were several. */
export function showSpread(spread: Spread | undefined): string {
  if (spread === undefined) return '-';
  const { median, min, max } = spread;
  return min === max ? show(median) : `${show(median)} (${show(min)}-${show(max)})`;
}

function showQuartiles(ratio: Quartiles | undefined): string {
  if (ratio === undefined) return '-';
  const [median, lower, upper] = [ratio.median, ratio.lower, ratio.upper].map((part) =>
    part.toFixed(3),
  );
  return `${median} (${lower}-${upper})`;
}

/** The head and the cells of a scenario's table; columns without a value are left out. */
export function toTable(rows: readonly Row[]): readonly (readonly string[])[] {
  const first = rows.find(({ published }) => published === 1)?.cpuUs?.median;
  const limits: Record<string, number | undefined> = {};
  for (const { work, server, cpuUs } of rows) {
    if (server.startsWith('limit node')) limits[work] ??= cpuUs?.median;
  }
  const columns: [string, (row: Row) => string][] = [
    ['work', ({ work }) => work],
    ['server', ({ server }) => server],
    ['CPU us/request', ({ cpuUs, voidBecause }) => (voidBecause ? 'void' : showSpread(cpuUs))],
    [
      'of node limit',
      ({ work, cpuUs }) => (limits[work] && cpuUs ? show(cpuUs.median / limits[work]) : '-'),
    ],
    ['of the first', ({ ratio }) => showQuartiles(ratio)],
    ['main us', ({ mainUs }) => show(mainUs?.median)],
    ['GC us', ({ gcUs }) => show(gcUs)],
    ['published ratio', ({ published }) => show(published)],
    ['ratio here', ({ cpuUs }) => (first && cpuUs ? show(first / cpuUs.median) : '-')],
    ['requests/s', ({ requestsPerSecond }) => show(requestsPerSecond?.median)],
    ['p50 ms', ({ p50Ms }) => show(p50Ms?.median)],
    ['p99 ms', ({ p99Ms }) => show(p99Ms?.median)],
    ['cores of server', ({ serverCores }) => show(serverCores?.median)],
    ['cores of wrk', ({ generatorCores }) => show(generatorCores?.median)],
    ['value', ({ value, unit }) => (value ? `${showSpread(value)} ${unit ?? ''}` : '-')],
    ['bound by', ({ bound }) => bound ?? '-'],
    ['encoding', ({ encoding }) => encoding ?? '-'],
    ['body bytes', ({ bytes }) => show(bytes)],
    ['bytes on the wire', ({ wireBytes }) => show(wireBytes)],
    ['peak MiB', ({ peakRssBytes }) => show(peakRssBytes && peakRssBytes / 2 ** 20)],
    ['note', ({ note, voidBecause }) => voidBecause ?? note ?? '-'],
  ];
  const used = columns.filter(([, cell]) => rows.some((row) => cell(row) !== '-'));
  return [used.map(([title]) => title), ...rows.map((row) => used.map(([, cell]) => cell(row)))];
}

/** A table as text for a terminal. */
export function toText(table: readonly (readonly string[])[]): string {
  const widths = table[0]!.map((_, at) => Math.max(...table.map((cells) => cells[at]!.length)));
  const last = widths.length - 1;
  return table
    .map((cells) =>
      cells.map((cell, at) => (at === last ? cell : cell.padEnd(widths[at]!))).join('  '),
    )
    .join('\n');
}
