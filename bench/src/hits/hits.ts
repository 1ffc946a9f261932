/**
 * What a hit costs: server CPU per request of a built file and of a stored page, answered on the socket and by node:http,
 * after middleware and before it, beside the limit of node:http and that of a socket, in interleaved rounds of one run.
 *
 *   npm run hits -w bench [-- --rounds 9 --seconds 1.5 --warm-up 8 --encoding br --only 'page on the socket' --folder <browser folder>]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { measureCost } from '../measure/load.ts';
import { get, type RawAnswer } from '../measure/request.ts';
import { requireWrk } from '../measure/wrk.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1.5' },
    // The first seconds of a server cost up to double.
    'warm-up': { type: 'string', default: '8' },
    encoding: { type: 'string', default: 'br' },
    only: { type: 'string', default: '' },
    folder: {
      type: 'string',
      default: join(import.meta.dirname, '../../../examples/material-app/dist/app/browser'),
    },
  },
});
const NAMES = [
  ...['limit', 'socket'],
  ...['file on the socket', 'file by node:http', 'page on the socket', 'page by node:http'],
  ...['node', 'koa', 'koa before-middleware'],
];
const headers = { 'accept-encoding': values.encoding };
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
  readonly path: string;
  readonly wireBytes: number;
  readonly microseconds: number[];
}

const page = readFileSync(join(values.folder, 'index.html'));
const only = values.only.split(',');
const names = NAMES.filter((name) => !values.only || name === 'limit' || only.includes(name));
const contestants = await Promise.all(names.map(start));
for (let round = 0; round <= rounds; round++) {
  for (const contestant of shuffle(contestants)) {
    const cost = await measure(contestant, round === 0 ? Number(values['warm-up']) : seconds);
    if (round > 0) contestant.microseconds.push(cost);
  }
  process.stderr.write(`\rround ${round}/${rounds} `);
}
process.stderr.write('\r');

const limit = median(contestants[0]!.microseconds);
console.log(
  `GET, ${page.byteLength} bytes, ${values.encoding}; node ${process.version}, ` +
    `${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}`,
);
console.log('server                us CPU/request   spread        of the limit   bytes');
for (const { name, microseconds, child, wireBytes } of contestants) {
  const sorted = [...microseconds].sort((a, b) => a - b);
  const spread = `${sorted[0]!.toFixed(1)}-${sorted.at(-1)!.toFixed(1)}`;
  console.log(
    name.padEnd(21),
    median(microseconds).toFixed(1).padStart(14),
    spread.padStart(13),
    (median(microseconds) / limit).toFixed(2).padStart(15),
    String(wireBytes).padStart(7),
  );
  child.disconnect();
}

async function start(name: string): Promise<Contestant> {
  const program = join(import.meta.dirname, 'server.ts');
  const child = fork(program, [name, values.folder, values.encoding]);
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  });
  const { port } = await ask<{ port: number }>(child);
  const origin = `http://127.0.0.1:${port}`;
  const path = name.startsWith('page') ? '/stored' : '/';
  const { wireBytes } = await getEncoded(name, origin + path);
  return { name, child, origin, path, wireBytes, microseconds: [] };
}

/** The answer in the encoding: that of a stored page is made once it is asked for again. */
async function getEncoded(name: string, url: string): Promise<RawAnswer> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await get(url, headers);
    const { 'content-encoding': encoding = 'identity' } = answer.headers;
    const content = encoding === 'br' ? brotliDecompressSync(answer.body) : answer.body;
    if (answer.status !== 200 || !content.equals(page)) break;
    if (encoding === values.encoding) return answer;
    await wait(100);
  }
  throw new Error(`${name} sent a wrong answer`);
}

async function measure(contestant: Contestant, seconds: number): Promise<number> {
  const { child, origin, path, wireBytes } = contestant;
  const work = { path, headers, wireBytes };
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
