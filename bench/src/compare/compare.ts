/**
 * Every adapter of the example, one after another on the same build, in one table:
 *
 *   npm run compare [-- --engine app --only koa,node --seconds 1.5]
 */
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cost, measureCost } from '../measure/load.ts';
import { readProcessCost } from '../measure/process-cost.ts';
import { RemainingTime, toDuration } from '../measure/remaining-time.ts';
import { get } from '../measure/request.ts';
import { type Server, startServer } from '../measure/server.ts';
import { requireWrk } from '../measure/wrk.ts';
import { RUNS, type Run } from './runs.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '1.5' },
  },
});
const seconds = Number(values.seconds);
const dist = join(import.meta.dirname, '../../../examples/material-app/dist');
const names = values.only?.split(',');
const runs = RUNS.filter(
  ({ adapter, engine }) =>
    (names?.includes(adapter) ?? true) &&
    (values.engine === undefined || engine === undefined || engine === values.engine),
);

requireWrk();
/** A server starts, and makes its encodings. */
const START_MS = 4000;
/** Three loads that are measured and the first one, which warms up; two more where pages are rendered. */
const loadsOf = ({ engine }: Run): number => (engine === undefined ? 4 : 6);
const announcedMs = runs.reduce((ms, run) => ms + START_MS + loadsOf(run) * seconds * 1000, 0);
const time = new RemainingTime(runs.length, announcedMs);
process.stderr.write(`${runs.length} servers, about ${toDuration(announcedMs)}\n`);
const rows: Row[] = [];
for (const [index, run] of runs.entries()) {
  process.stderr.write(`\r\u001b[K${index + 1}/${runs.length} ${describe(run)}, ${time} `);
  rows.push(await measureRun(run));
  time.step();
}
process.stderr.write('\r\u001b[K');
print(rows);

interface Row extends Run {
  readonly hit: Cost;
  readonly notModified: Cost;
  readonly brotli: Cost;
  readonly miss: Cost | undefined;
  readonly peakBytes: number;
}

async function measureRun(run: Run): Promise<Row> {
  const server = await start(run);
  try {
    const identity = { 'accept-encoding': 'identity' };
    const { etag } = (await get(`${server.origin}/`, identity)).headers;
    if (typeof etag !== 'string') throw new Error(`${describe(run)} sent a wrong answer`);
    await settle(server.pid);

    const load = async (path: string, headers: Record<string, string>, status: number) => {
      const answer = await get(server.origin + path, headers);
      if (answer.status !== status) {
        throw new Error(`${describe(run)} answers GET ${path} with ${answer.status}`);
      }
      return measureCost(server, { path, headers, wireBytes: answer.wireBytes }, { seconds });
    };
    await load('/', identity, 200); // Warms up.
    const hit = await load('/', identity, 200);
    const notModified = await load('/', { ...identity, 'if-none-match': etag }, 304);
    const brotli = await load('/', { 'accept-encoding': 'br' }, 200);
    let miss: Cost | undefined;
    if (run.engine !== undefined) {
      await load('/lazy', identity, 200); // Rendering takes seconds to become warm.
      miss = await load('/lazy', identity, 200);
    }
    const { peakBytes } = readProcessCost(server.pid);
    return { ...run, hit, notModified, brotli, miss, peakBytes };
  } finally {
    await server.stop();
  }
}

async function start(run: Run): Promise<Server> {
  if (run.engine !== undefined && !existsSync(join(dist, run.engine, 'server/server.mjs'))) {
    throw new Error(`the example is not built: run "npm run build" first`);
  }
  const { adapter, serveHits = 'after-middleware', runtime } = run;
  const env = { ADAPTER: adapter, HITS: serveHits };
  const contestant = { name: describe(run), runtime, command: run.command(dist), env };
  return startServer(contestant, []);
}

/** Encodings are made after start, on threads of the process: its CPU time must have come to rest. */
async function settle(pid: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  let before = readProcessCost(pid).cpuMicroseconds;
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = readProcessCost(pid).cpuMicroseconds;
    if (now - before <= 10_000) return;
    before = now;
  }
  throw new Error('a server is busy 60 s after its start without any request');
}

function describe({ adapter, engine, serveHits }: Run): string {
  return [adapter, engine, serveHits].filter((part) => part !== undefined).join(' ');
}

function print(rows: readonly Row[]): void {
  const limits = new Map(
    rows.filter(({ engine }) => engine === undefined).map((row) => [row.runtime, row.hit]),
  );
  const us = (cost: Cost | undefined): string => cost?.microseconds.toFixed(1) ?? '-';
  const header = [
    'adapter',
    'engine',
    'serveHits',
    'hit us',
    'of limit',
    '304 us',
    'br us',
    'miss us',
    'p99 ms',
    'RSS MiB',
  ];
  const cells = rows.map((row) => {
    const limit = limits.get(row.runtime);
    return [
      row.adapter,
      row.engine ?? '-',
      row.serveHits ?? '-',
      us(row.hit),
      limit === undefined ? '-' : (row.hit.microseconds / limit.microseconds).toFixed(2),
      us(row.notModified),
      us(row.brotli),
      us(row.miss),
      row.hit.p99Ms.toFixed(0),
      (row.peakBytes / 2 ** 20).toFixed(0),
    ];
  });
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]!.length)),
  );
  for (const row of [header, ...cells]) {
    console.log(
      row
        .map((cell, column) =>
          column < 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  '),
    );
  }
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  console.log(
    `\nServer CPU per request (user and system), 20 connections, ${seconds} s each, one server at ` +
      `a time.\nNode ${process.versions.node}, ${availableParallelism()} x ` +
      `${cpus()[0]?.model.trim() ?? 'unknown'}, ${gib} GiB, ${process.platform}. RSS is the peak ` +
      'after all of it; p99 is of the hits.',
  );
}
