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
import autocannon from 'autocannon';

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
  readonly port: number;
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
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { 'accept-encoding': 'identity' },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200 || !body.equals(page)) throw new Error(`${name} sent a wrong answer`);
  return { name, child, port, microseconds: [] };
}

async function measure({ name, child, port }: Contestant): Promise<number> {
  const before = await cpuTime(child);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/`,
    connections: 20,
    duration: seconds,
    headers: { accept: 'text/html', 'accept-encoding': 'identity', 'user-agent': 'bench' },
  });
  const after = await cpuTime(child);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name} failed under load`);
  return (after - before) / result.requests.total;
}

async function cpuTime(child: ChildProcess): Promise<number> {
  const answer = ask<NodeJS.CpuUsage>(child);
  child.send('cpu');
  const { user, system } = await answer;
  return user + system;
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
