/**
 * The example of this checkout beside that of another one, on the same machine in interleaved rounds: what hits, stored
 * pages and renders cost, what a start takes, and what memory a server has then. Both are built before.
 *
 *   npm run compare:checkouts -w @ng-ssr/bench -- --with ../old [--rounds 9 --seconds 1 --only koa]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMs } from '../measure/cpu-ms.ts';
import { separateCores } from '../measure/cores.ts';
import { measureCost, type Work } from '../measure/load.ts';
import { get } from '../measure/request.ts';
import { type Server, startServer } from '../measure/server.ts';
import { quartilesOf } from '../measure/spread.ts';
import { requireWrk } from '../measure/wrk.ts';
import { IDENTITY, UNSTORED } from '../scenarios/built-files.ts';

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
if (values.with === undefined)
  fail('--with is missing: the folder of another checkout, as --with ../old');
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const cores = separateCores();
// npm starts it in the workspace, and says where it was started itself.
const checkouts = [
  resolve(process.env['INIT_CWD'] ?? '', values.with),
  join(import.meta.dirname, '../../..'),
];
for (const folder of checkouts) {
  if (!existsSync(programOf(folder)))
    fail(`${programOf(folder)} is missing: run "npm run build" there first`);
}

/** What is measured, of servers with the same settings in both checkouts. */
const SERVERS = [
  { adapter: 'node', serveHits: 'before-middleware' },
  { adapter: 'node', serveHits: 'after-middleware' },
  { adapter: 'koa', serveHits: 'after-middleware' },
  { adapter: 'fastify', serveHits: 'after-middleware' },
  { adapter: 'express', serveHits: 'after-middleware' },
  { adapter: 'hono', serveHits: 'after-middleware' },
].filter(({ adapter }) => adapter.includes(values.only));
/** A page that the example stores once it is rendered. */
const STORED = '/products/3';
const BROTLI = { 'accept-encoding': 'br' };

requireWrk();
console.log(`${values.with}, this checkout, and how many times its cost; ${cores.description}`);
for (const server of SERVERS) await compare(server);

type Settings = (typeof SERVERS)[number];

function programOf(folder: string): string {
  return join(folder, 'examples/material-app/dist/app/server/server.mjs');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function start(folder: string, { adapter, serveHits }: Settings): Promise<Server> {
  const name = `${adapter} ${serveHits} of ${folder}`;
  const env = { ADAPTER: adapter, HITS: serveHits, SLOTS: 'off' };
  return startServer(
    { name, runtime: 'node', command: [process.execPath, programOf(folder)], env },
    cores.serverPrefix,
  );
}

async function compare(server: Settings): Promise<void> {
  const name = `${server.adapter} ${server.serveHits}`;
  const both = await Promise.all(checkouts.map((folder) => start(folder, server)));
  try {
    const works = await Promise.all(both.map(worksOf));
    for (const what of Object.keys(works[0]!)) {
      const costs: [number, number][] = [];
      for (let round = -2; round < rounds; round++) {
        const pair: [number, number] = [0, 0];
        for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const { microseconds } = await measureCost(both[side]!, works[side]![what]!, { seconds });
          pair[side] = microseconds;
        }
        // The first two warm up.
        if (round >= 0) costs.push(pair);
      }
      print(`${name}: ${what}, us`, costs);
    }
    print(`${name}: resident memory after it, MB`, [
      both.map(({ pid }) => residentMb(pid)) as [number, number],
    ]);
  } finally {
    for (const { stop } of both) await stop();
  }
  await compareStarts(server, name);
}

async function worksOf({ origin }: Server): Promise<Readonly<Record<string, Work>>> {
  const page = await encoded(origin, '/');
  const headers = { ...BROTLI, 'if-none-match': String(page.headers['etag']) };
  const workOf = (path: string, headers: Record<string, string>, wireBytes: number): Work => ({
    path,
    headers,
    wireBytes,
  });
  const notModified = await get(`${origin}/`, headers);
  if (notModified.status !== 304) throw new Error(`${origin}/ is no 304`);
  const without = async (path: string): Promise<Work> =>
    workOf(path, IDENTITY, (await get(origin + path, IDENTITY)).wireBytes);
  return {
    'prerendered page': workOf('/', BROTLI, page.wireBytes),
    '304': workOf('/', headers, notModified.wireBytes),
    // Refreshed every ten seconds: in no encoding each version has its size from the first answer on.
    'stored page': await without(STORED),
    render: await without(UNSTORED),
  };
}

/** The answer in Brotli, which is made some time after the first one. */
async function encoded(origin: string, path: string) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await get(origin + path, BROTLI);
    if (answer.status !== 200) throw new Error(`${origin}${path} is ${answer.status}`);
    if (answer.headers['content-encoding'] === 'br') return answer;
    await wait(100);
  }
  throw new Error(`${origin}${path} is not in Brotli`);
}

async function compareStarts(server: Settings, name: string): Promise<void> {
  const found = { hit: [], render: [], memory: [] } as Record<string, [number, number][]>;
  for (let round = -1; round < rounds; round++) {
    const pairs = { hit: [0, 0], render: [0, 0], memory: [0, 0] } as Record<string, number[]>;
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const example = await start(checkouts[side]!, server);
      try {
        await get(`${example.origin}/`);
        pairs['hit']![side] = cpuMs(example.pid);
        await get(example.origin + UNSTORED);
        pairs['render']![side] = cpuMs(example.pid);
        pairs['memory']![side] = residentMb(example.pid);
      } finally {
        await example.stop();
      }
    }
    if (round < 0) continue;
    for (const what of Object.keys(found)) found[what]!.push(pairs[what] as [number, number]);
  }
  print(`${name}: from start to first hit, CPU ms`, found['hit']!);
  print(`${name}: from start to first render, CPU ms`, found['render']!);
  print(`${name}: resident memory then, MB`, found['memory']!);
}

function print(what: string, pairs: readonly [number, number][]): void {
  const [before, now] = [0, 1].map((side) => quartilesOf(pairs.map((pair) => pair[side]!)).median);
  const { median, lower, upper } = quartilesOf(pairs.map(([other, own]) => own / other));
  const ratio = `${median.toFixed(2)} (${lower.toFixed(2)}-${upper.toFixed(2)})`;
  console.log(
    `${what.padEnd(70)} ${before!.toFixed(1).padStart(8)} ${now!.toFixed(1).padStart(8)}  ${ratio}`,
  );
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
