import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { measureCost } from '../measure/load.ts';
import { get, type RawAnswer } from '../measure/request.ts';
import { settle } from '../measure/server.ts';
import { type Quartiles, quartilesOf } from '../measure/spread.ts';
import { requireWrk } from '../measure/wrk.ts';

const HERE = import.meta.dirname;
/** These run on Bun, where it is installed; "bun" is Elysia beside Bun alone. */
const ON_BUN = /^(?:elysia|bun)\b/;
const bun = join(HERE, '../../../node_modules/.bin/bun');
const headers = { 'accept-encoding': 'br' };
/** Headers that node:http and the middleware set. */
const OF_OTHERS = /^(?:connection|keep-alive|date|x-content-type-options)$/i;

/** How hits after middleware are measured. */
export interface AfterMiddleware {
  /** Of {@link FRAMEWORKS}. */
  readonly frameworks: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The built browser folder whose home page is the cached page. */
  readonly folder: string;
  /** Another checkout, whose server is measured too. */
  readonly against?: string | undefined;
  readonly onRound: (round: number) => void;
}

/** What one server of a group costs per request. The first of a group is the framework alone. */
export interface AfterMiddlewareCost {
  readonly framework: string;
  readonly name: string;
  /** Server CPU, in each round. */
  readonly microseconds: readonly number[];
  /** Of the framework alone in the same rounds. */
  readonly ratio: Quartiles;
}

export const FRAMEWORKS: readonly string[] = [
  ...['node', 'koa', 'express', 'fastify', 'hono', 'h3'],
  ...(existsSync(bun) ? ['elysia', 'bun'] : []),
];

interface Contestant {
  readonly name: string;
  readonly child: ChildProcess;
  readonly origin: string;
  readonly answer: RawAnswer;
  readonly microseconds: number[];
}

/** Measures all in interleaved rounds. */
export async function measureAfterMiddleware(
  options: AfterMiddleware,
): Promise<readonly AfterMiddlewareCost[]> {
  requireWrk();
  const { frameworks, rounds, seconds, warmUpSeconds, onRound } = options;
  const groups = await Promise.all(
    frameworks.map(async (name) => [name, await startGroup(name, options)] as const),
  );
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    for (const { origin, child, answer, microseconds } of groups.flatMap(([, group]) => group)) {
      const work = { path: '/stored', headers, wireBytes: answer.wireBytes };
      const load = { seconds: round === 0 ? warmUpSeconds : seconds };
      const cost = await measureCost({ origin, pid: child.pid! }, work, load);
      if (round > 0) microseconds.push(cost.microseconds);
    }
  }
  return groups.flatMap(([framework, group]) =>
    group.map(({ name, microseconds, child }) => {
      child.disconnect();
      const base = group[0]!.microseconds;
      const ratio = quartilesOf(microseconds.map((us, round) => us / base[round]!));
      return { framework, name, microseconds, ratio };
    }),
  );
}

/** The framework alone, ours (also of the other checkout), and the framework once more. */
async function startGroup(
  name: string,
  { folder, against }: AfterMiddleware,
): Promise<readonly Contestant[]> {
  const start = (title: string, ...args: string[]): Promise<Contestant> =>
    startServer(HERE, title, args[0]!, folder, ...args.slice(1));
  const ours = await start(name, name);
  const { rawHeaders, body } = ours.answer;
  const sent: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!OF_OTHERS.test(rawHeaders[i]!)) sent[rawHeaders[i]!] = rawHeaders[i + 1]!;
  }
  const response = JSON.stringify({ headers: sent, base64: body.toString('base64') });
  const declared = await start(`${name} declared`, `${name}:declared`);
  const all = [await start(`${name} alone`, name, response), ours, declared];
  if (against !== undefined) {
    const there = join(against, 'bench/src/hits');
    all.push(await startServer(there, `${name} before`, name, folder));
  }
  all.push(await start(`${name} alone, again`, name, response));
  // Until it has compressed the files of the build, that work would count.
  for (const { child } of all) await settle(child.pid!);
  for (const { name, answer } of all) checkSame(name, ours.answer, answer);
  return all;
}

/** @param args - Of the program `after-middleware-server.ts`. */
async function startServer(
  programs: string,
  name: string,
  ...args: readonly [adapter: string, folder: string, ...response: string[]]
): Promise<Contestant> {
  const program = join(programs, 'after-middleware-server.ts');
  const child = fork(program, args, {
    ...(ON_BUN.test(args[0]) && { execPath: bun, execArgv: [] }),
  });
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  });
  const port = await new Promise<number>((resolve) => {
    child.on('message', (message) => {
      // A server also says "ready", for PM2.
      if (typeof message === 'object') resolve((message as { port: number }).port);
    });
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
