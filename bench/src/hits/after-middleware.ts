/**
 * What a hit of the page cache costs after one middleware that sets a header, and with `withHeaders()` in its place
 * ("declared"): server CPU per request, beside the same framework and middleware alone, which send the same bytes, in
 * interleaved rounds of one run. A ratio is that of a round, and the framework alone beside itself ("again") says how much
 * of it is noise.
 *
 *   npm run hits:after-middleware -w bench [-- --rounds 15 --seconds 1 --warm-up 5 --only fastify,koa --folder <browser folder> \
 *     --against <another checkout, built>]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureCost } from '../measure/load.ts';
import { get, type RawAnswer } from '../measure/request.ts';
import { settle } from '../measure/server.ts';
import { quartilesOf } from '../measure/spread.ts';
import { requireWrk } from '../measure/wrk.ts';

const HERE = import.meta.dirname;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '5' },
    against: { type: 'string' },
    only: { type: 'string', default: 'node,koa,express,fastify,hono,h3,elysia,bun' },
    folder: {
      type: 'string',
      default: join(HERE, '../../../examples/material-app/dist/app/browser'),
    },
  },
});
/** These run on Bun, where it is installed; "bun" is Elysia beside Bun alone. */
const ON_BUN = /^(?:elysia|bun)\b/;
const bun = join(HERE, '../../../node_modules/.bin/bun');
const hasBun = existsSync(bun);
const headers = { 'accept-encoding': 'br' };
/** Headers that node:http and the middleware set. */
const OF_OTHERS = /^(?:connection|keep-alive|date|x-content-type-options)$/i;

interface Contestant {
  readonly name: string;
  readonly child: ChildProcess;
  readonly origin: string;
  readonly answer: RawAnswer;
  readonly microseconds: number[];
}

requireWrk();
const groups = await Promise.all(
  values.only
    .split(',')
    .filter((name) => hasBun || !ON_BUN.test(name))
    .map(startGroup),
);
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const contestant of groups.flat()) {
    const seconds = Number(values[round === 0 ? 'warm-up' : 'seconds']);
    const work = { path: '/stored', headers, wireBytes: contestant.answer.wireBytes };
    const server = { origin: contestant.origin, pid: contestant.child.pid! };
    const { microseconds } = await measureCost(server, work, { seconds });
    if (round > 0) contestant.microseconds.push(microseconds);
  }
  process.stderr.write(`\rround ${round}/${values.rounds} `);
}
process.stderr.write('\r');

console.log('server              us CPU/request   of the framework   half of the rounds');
for (const group of groups) {
  const base = group[0]!;
  for (const { name, microseconds, child } of group) {
    const ratio = quartilesOf(microseconds.map((us, round) => us / base.microseconds[round]!));
    console.log(
      name.padEnd(19),
      quartilesOf(microseconds).median.toFixed(1).padStart(14),
      ratio.median.toFixed(3).padStart(18),
      `${ratio.lower.toFixed(3)}-${ratio.upper.toFixed(3)}`.padStart(20),
    );
    child.disconnect();
  }
}

/** The framework alone, ours (also of the other checkout), and the framework once more. */
async function startGroup(name: string): Promise<readonly Contestant[]> {
  const ours = await start(name, name);
  const { rawHeaders, body } = ours.answer;
  const sent: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!OF_OTHERS.test(rawHeaders[i]!)) sent[rawHeaders[i]!] = rawHeaders[i + 1]!;
  }
  const response = JSON.stringify({ headers: sent, base64: body.toString('base64') });
  const declared = await start(`${name} declared`, `${name}:declared`);
  const all = [await start(`${name} alone`, name, HERE, response), ours, declared];
  if (values.against !== undefined) {
    const there = join(values.against, 'bench/src/hits');
    all.push(await start(`${name} before`, name, there));
  }
  all.push(await start(`${name} alone, again`, name, HERE, response));
  // Until it has compressed the files of the build, that work would count.
  for (const { child } of all) await settle(child.pid!);
  for (const { name, answer } of all) checkSame(name, ours.answer, answer);
  return all;
}

async function start(
  name: string,
  adapter: string,
  folder = HERE,
  ...response: string[]
): Promise<Contestant> {
  const program = join(folder, 'after-middleware-server.ts');
  const child = fork(program, [adapter, values.folder, ...response], {
    ...(ON_BUN.test(adapter) && { execPath: bun, execArgv: [] }),
  });
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  });
  const { port } = await new Promise<{ port: number }>((resolve) => {
    child.once('message', (message) => resolve(message as { port: number }));
  });
  const origin = `http://127.0.0.1:${port}`;
  return { name, child, origin, answer: await getEncoded(name, origin), microseconds: [] };
}

/** The hit in Brotli, which is made once the page is asked for again. */
async function getEncoded(name: string, origin: string): Promise<RawAnswer> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await get(`${origin}/stored`, headers);
    const status = String(answer.headers['cache-status']);
    if (answer.headers['content-encoding'] === 'br' && status.includes('hit')) return answer;
    await wait(100);
  }
  throw new Error(`${name} sent no hit in Brotli`);
}

function checkSame(name: string, ours: RawAnswer, its: RawAnswer): void {
  const listOf = ({ headers }: RawAnswer): string => Object.keys(headers).sort().join();
  if (its.body.equals(ours.body) && listOf(its) === listOf(ours)) return;
  throw new Error(`${name} sends ${listOf(its)} instead of ${listOf(ours)}`);
}
