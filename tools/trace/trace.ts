/**
 * Makes every journey of journeys.ts on a real server of each adapter, one HTTP request each, and counts
 * the calls of functions in the built packages until the server is quiet again: see figures.ts.
 *
 *   --journey stored-miss,hit   these journeys
 *   --adapter node,koa          these adapters
 *   --json <file>               writes the figures into this file
 *   --against <file>            compares with the figures in this file
 *
 * One journey on one adapter is shown step by step. Not traced: frameworks, Angular, @ng-ssr/etag, and the
 * start of a server.
 *
 * Two runs have the same figures: each adapter has a process of its own with one thread for files and encodings,
 * and so does each journey of server threads; each journey has a server of its own, the connection is open before,
 * and the traced request is the first of its second.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type AllFigures, type Figures, figuresOf } from './figures.ts';
import { journeys } from './journeys.ts';
import type { Step } from './recorder.ts';
import { formatComparison, formatPath, formatTable } from './report.ts';
import { servers } from './servers.ts';
import type { Traced } from './trace-adapter.ts';

const { values } = parseArgs({
  options: {
    journey: { type: 'string' },
    adapter: { type: 'string' },
    json: { type: 'string' },
    against: { type: 'string' },
  },
});
const chosenJourneys = choose('--journey', values.journey, Object.keys(journeys));
const chosenAdapters = choose('--adapter', values.adapter, Object.keys(servers));
const earlier = values.against && (JSON.parse(readFileSync(values.against, 'utf8')) as AllFigures);

const figures: Record<string, Record<string, Figures>> = {};
const steps: (readonly Step[])[] = [];
for (const adapter of chosenAdapters) {
  for (const names of processesFor(adapter)) {
    for (const traced of await traceAdapter(adapter, names)) {
      steps.push(traced.steps);
      (figures[traced.journey] ??= {})[adapter] = figuresOf(traced.steps);
    }
  }
}

if (steps.length === 1) console.log(`${formatPath(steps[0]!)}\n`);
console.log(earlier ? formatComparison(figures, earlier) : formatTable(figures, chosenAdapters));
if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);

/** The journeys of each process: a program whose threads run it, too, makes only one. */
function processesFor(adapter: string): readonly (readonly string[])[] {
  const names = chosenJourneys.filter(
    (name) => journeys[name]!.adapters?.includes(adapter) !== false,
  );
  const alone = names.filter((name) => journeys[name]!.threads !== undefined);
  const together = names.filter((name) => !alone.includes(name));
  return [together, ...alone.map((name) => [name])].filter((group) => group.length > 0);
}

async function traceAdapter(adapter: string, names: readonly string[]): Promise<readonly Traced[]> {
  const modules = pathToFileURL(join(import.meta.dirname, 'traced-modules.ts')).href;
  const child = fork(join(import.meta.dirname, 'trace-adapter.ts'), [adapter, ...names], {
    execArgv: ['--import', modules],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const traced: Traced[] = [];
  child.on('message', (message) => traced.push(message as Traced));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exit(1);
  return traced;
}

function choose(
  option: string,
  value: string | undefined,
  all: readonly string[],
): readonly string[] {
  const chosen = value?.split(',') ?? all;
  const unknown = chosen.find((name) => !all.includes(name));
  if (unknown === undefined) return chosen;
  console.error(`${option} is ${JSON.stringify(unknown)}; allowed: ${all.join(', ')}`);
  process.exit(1);
}
