/**
 * `npm run simulate`: a fleet of servers over the real code of the core, with a clock and a network that are simulated.
 *
 *   --machines 20 --pages 10000000   the scenario: each member of scenario.ts, in words with hyphens
 *   --json <file>                    writes the figures into this file; - for stdout in place of the table
 *   --compare                        sends the same requests to four real servers with a Redis, and compares
 *   --requests 100000                with --compare: the number of requests
 *   --table                          simulates all fleets of docs/scale.md, and writes its table
 *
 * It prints a line for each phase. `memory`, `store`, `render`, `waited` and `503` are shares of requests: with a page of
 * memory, of the store, of a render, of the render of another request, and without a render in time. `peak` is the second
 * with most renders, `cores` are busy with them. `reads/s`, `writes/s` and `MB/s` are those of the store. After a purge,
 * `old` pages were sent by machines that did not know it yet, the last after `stale s`; `wrong` pages must be 0.
 *
 * Two runs with the same options print the same. Time and memory of the run itself go to stderr.
 */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { compare, COMPARED, formatCompared, largestDifference } from './compare.ts';
import { Fleet } from './fleet.ts';
import { formatPhases } from './report.ts';
import { checkScenario, DEFAULTS, type Scenario } from './scenario.ts';
import { formatTable, runAll } from './table.ts';

/** By which a share of real servers may differ. */
const MOST_POINTS = 5;
const PAGE = join(import.meta.dirname, '../../docs/scale.md');

const names = new Map(Object.keys(DEFAULTS).map((name) => [toWords(name), name]));
const { values } = orEnd(() =>
  parseArgs({
    options: {
      ...Object.fromEntries([...names.keys()].map((name) => [name, { type: 'string' as const }])),
      json: { type: 'string' },
      compare: { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      requests: { type: 'string' },
    },
  }),
);
const given = givenScenario(values);
if (!values.help) orEnd(checkTogether);
const json = typeof values.json === 'string' ? values.json : undefined;
if (values.help) help();
else if (values.compare) await compareAll();
else if (values.table) await writeTable(json);
else await simulate(json);

/** The comment that this file begins with, and all options of a scenario. */
function help(): void {
  const [, comment = ''] =
    /^\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(import.meta.filename, 'utf8')) ?? [];
  console.log(comment.replaceAll(/^ \* ?/gm, ''), '\n');
  const source = readFileSync(join(import.meta.dirname, 'scenario.ts'), 'utf8');
  const meanings = source.matchAll(/\/\*\* (.*) \*\/\n {2}readonly (\w+):/g);
  const meaningOf = new Map([...meanings].map(([, meaning, name]) => [name, meaning]));
  for (const [words, name] of names) {
    const option = `--${words} ${DEFAULTS[name as keyof Scenario]}`;
    console.log(`  ${option.padEnd(27)}  ${meaningOf.get(name) ?? ''}`.trimEnd());
  }
}

async function simulate(file: string | undefined): Promise<void> {
  const scenario = checked({ ...DEFAULTS, ...given });
  const phases = await new Fleet(scenario).run(({ phase, seconds, requestsPerSecond }) => {
    const { user, system } = process.cpuUsage();
    const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
    const soFar = `${((user + system) / 1e6).toFixed(1)} s of CPU so far, ${megabytes} MB`;
    console.error(`${phase}: ${Math.round(seconds * requestsPerSecond)} requests; ${soFar}`);
  });
  const text = `${JSON.stringify({ scenario, phases }, undefined, 2)}\n`;
  if (file === '-') process.stdout.write(text);
  else console.log(`seed ${scenario.seed}\n\n${formatPhases(phases)}`);
  if (file !== undefined && file !== '-') writeFileSync(file, text);
  if (phases.every(({ wrong }) => wrong === 0)) return;
  console.error('A machine has answered with a page that was purged: see the column "wrong".');
  process.exitCode = 1;
}

async function compareAll(): Promise<void> {
  const scenario = checked({ ...COMPARED, ...given });
  const all = await compare(scenario, orEnd(requestsToCompare));
  console.log(`seed ${scenario.seed}\n\n${formatCompared(all)}`);
  if (largestDifference(all) > MOST_POINTS) process.exitCode = 1;
}

async function writeTable(file: string | undefined): Promise<void> {
  const runs = await runAll(import.meta.filename);
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(runs, undefined, 2)}\n`);
  const table = formatTable(runs);
  console.log(table);
  const text = readFileSync(PAGE, 'utf8').replace(
    /(<!-- npm run simulate -- --table -->\n)[^]*(<!-- end of npm run simulate -->)/,
    (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`,
  );
  const config = await resolveConfig(PAGE);
  writeFileSync(PAGE, await format(text, { ...config, filepath: PAGE }));
}

/** An option that would be ignored is a mistake. */
function checkTogether(): void {
  const { table, compare: isCompared, requests, json: file } = values;
  const [first] = Object.keys(given);
  if (table && isCompared) throw new RangeError('--table and --compare are two programs');
  if (table && first !== undefined)
    throw new RangeError(`--table has scenarios of its own, without ${first}`);
  if (!isCompared && requests !== undefined) throw new RangeError('--requests needs --compare');
  if (isCompared && file !== undefined) throw new RangeError('--compare writes no --json');
  // Not after minutes of simulation.
  if (typeof file === 'string' && file !== '-') closeSync(openSync(file, 'a'));
}

function requestsToCompare(): number {
  const { requests = '100000' } = values;
  const number = Number(requests);
  if (Number.isSafeInteger(number) && number > 1) return number;
  throw new RangeError(`requests is ${String(requests)}; allowed: a whole number from 2`);
}

function checked(scenario: Scenario): Scenario {
  orEnd(() => checkScenario(scenario));
  return scenario;
}

/** Ends the program if something cannot be simulated. */
function orEnd<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    console.error(`${(error as Error).message} (--help lists all options)`);
    process.exit(1);
  }
}

function givenScenario(options: Readonly<Record<string, unknown>>): Partial<Scenario> {
  const found: Record<string, unknown> = {};
  for (const [words, name] of names) {
    const value = options[words];
    if (typeof value === 'string') {
      // An empty text would be 0.
      const number = value.trim() === '' ? Number.NaN : Number(value);
      found[name] = name === 'phases' ? value : number;
    }
  }
  return found as Partial<Scenario>;
}

function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
