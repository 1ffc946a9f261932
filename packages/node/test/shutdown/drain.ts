/**
 * `npm run drain -w packages/node`: starts the server of each adapter, loads it, and ends it with
 * SIGTERM, fifty times; every other time with a grace. Arguments: `--runs 50`, `--only koa,hono`,
 * `--seed 1`. `lost` are requests on connections that the server had accepted.
 */
import { parseArgs } from 'node:util';
import { Random } from '@ng-ssr/conformance/fuzz';
import { writeBuiltFolder } from './built-folder.ts';
import { drainUnderLoad, type DrainResult } from './drain-under-load.ts';
import { isNode, SERVERS, toServer } from './servers.ts';

const GRACE_MS = 400;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    only: { type: 'string', default: Object.keys(SERVERS).join() },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const runs = Number(values.runs);
const random = new Random(Number(values.seed));
console.log(`seed ${values.seed}`);
const { folder: browserFolder, remove } = writeBuiltFolder();

const table: Record<string, object> = {};
let hasFailed = false;
for (const name of values.only.split(',')) {
  const server = toServer(name);
  if (server === undefined) continue;
  const results: DrainResult[] = [];
  for (let run = 0; run < runs; run++) {
    const graceMs = run % 2 === 0 ? 0 : GRACE_MS;
    const settings = { browserFolder, shutdown: { graceMs } };
    const result = await drainUnderLoad(server.program, settings, random, server.command);
    results.push(result);
    const { exit, lost, problems, probes } = result;
    const told = [...problems, ...lost.map((each) => JSON.stringify(each))];
    if (exit.code !== 0) told.push(`it ended with ${exit.code ?? exit.signal}: ${exit.errors}`);
    if (graceMs > 0 && ![...probes].includes('/readyz 503')) told.push('no 503 from /readyz');
    if (probes.has('/livez 503')) told.push('503 from /livez');
    if (told.length > 0) console.log(`\n${name}, run ${run + 1}: ${told.join('\n  ')}`);
    // Bun and Deno close connections themselves: what they lose is shown, and is no failure.
    hasFailed ||= told.length > 0 && isNode(server);
    if (process.stdout.isTTY) process.stdout.write(`\r${name} ${run + 1}/${runs} `);
  }
  table[name] = summary(results);
  if (process.stdout.isTTY) process.stdout.write('\r');
  console.log(name, JSON.stringify(table[name]));
}
remove();
console.table(table);
process.exitCode = hasFailed ? 1 : 0;

function summary(results: readonly DrainResult[]): object {
  const sum = (of: (result: DrainResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const ms = results.map(({ exitMs }) => Math.round(exitMs)).sort((a, b) => a - b);
  return {
    runs: results.length,
    'exit 0': results.filter(({ exit }) => exit.code === 0).length,
    answered: sum(({ answered }) => answered),
    'asked after the signal': sum(({ answeredLate }) => answeredLate),
    'not 200': sum(({ others }) => [...others.values()].reduce((a, b) => a + b, 0)),
    lost: sum(({ lost }) => lost.length),
    'never accepted': sum(({ unaccepted }) => unaccepted),
    problems: sum(({ problems }) => problems.length),
    'exit after ms': `${ms[0]} / ${ms[ms.length >> 1]} / ${ms.at(-1)}`,
  };
}
