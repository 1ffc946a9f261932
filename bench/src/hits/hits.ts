/**
 * What a hit costs: server CPU per request of adapters, after middleware and before it, beside the limit of node:http,
 * in interleaved rounds of one run.
 *
 *   npm run hits -w bench [-- --rounds 9 --seconds 1.5 --folder <browser folder>]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCost } from '../measure/load.ts';
import { get } from '../measure/request.ts';
import { requireWrk } from '../measure/wrk.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1.5' },
    folder: {
      type: 'string',
      default: join(import.meta.dirname, '../../../examples/material-app/dist/app/browser'),
    },
  },
});
const IDENTITY = { 'accept-encoding': 'identity' };
requireWrk();
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
if (!existsSync(join(values.folder, 'index.html'))) {
  throw new Error(
    `${values.folder} has no index.html: run "npm run build" first, or give --folder`,
  );
}

interface Contestant {
  readonly name: string;
  readonly child: ChildProcess;
  readonly origin: string;
  readonly wireBytes: number;
  readonly microseconds: number[];
}

const page = readFileSync(join(values.folder, 'index.html'));
const contestants = await Promise.all(
  ['limit', 'node', 'node before-middleware', 'koa', 'koa before-middleware'].map(start),
);
for (let round = 0; round <= rounds; round++) {
  for (const contestant of shuffle(contestants)) {
    const cost = await measure(contestant);
    if (round > 0) contestant.microseconds.push(cost); // The first round warms up.
  }
  process.stderr.write(`\rround ${round}/${rounds} `);
}
process.stderr.write('\r');

const limit = median(contestants[0]!.microseconds);
console.log(
  `GET /, ${page.byteLength} bytes, identity; node ${process.version}, ` +
    `${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}`,
);
console.log('server       us CPU/request   spread        of the limit');
for (const { name, microseconds, child } of contestants) {
  const sorted = [...microseconds].sort((a, b) => a - b);
  const spread = `${sorted[0]!.toFixed(1)}-${sorted.at(-1)!.toFixed(1)}`;
  console.log(
    name.padEnd(12),
    median(microseconds).toFixed(1).padStart(14),
    spread.padStart(13),
    (median(microseconds) / limit).toFixed(2).padStart(15),
  );
  child.disconnect();
}

async function start(name: string): Promise<Contestant> {
  const child = fork(join(import.meta.dirname, 'server.ts'), [name, values.folder]);
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  });
  const { port } = await ask<{ port: number }>(child);
  const origin = `http://127.0.0.1:${port}`;
  const { status, body, wireBytes } = await get(`${origin}/`, IDENTITY);
  if (status !== 200 || !body.equals(page)) throw new Error(`${name} sent a wrong answer`);
  return { name, child, origin, wireBytes, microseconds: [] };
}

async function measure({ child, origin, wireBytes }: Contestant): Promise<number> {
  const work = { path: '/', headers: IDENTITY, wireBytes };
  return (await measureCost({ origin, pid: child.pid! }, work, { seconds })).microseconds;
}

function ask<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)));
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
