import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../measure/row.ts';

/** One run of the benchmark. */
export interface Results {
  readonly machine: {
    readonly name: string;
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
    readonly separation: string;
  };
  readonly versions: Readonly<Record<string, string>>;
  readonly commit: string;
  readonly date: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly isQuick: boolean;
  /** Whether it has only scenarios that were chosen, of a machine without a whole run. */
  readonly isPart?: boolean;
  readonly rows: readonly Row[];
  /** Scenarios that were measured again by themselves. */
  readonly again?: readonly Again[];
}

/** A scenario whose rows are of a run of its own. */
export interface Again {
  readonly scenario: string;
  readonly commit: string;
  readonly date: string;
  readonly rounds: number;
}

const results = join(import.meta.dirname, '../../results');

/** A name for this kind of machine, the same on each run: it is a folder's name too. */
export function machineName(): string {
  const model = cpus()[0]?.model ?? 'unknown';
  const words = `${model.replace(/\(.*?\)|CPU|Processor|@.*/g, ' ')} ${cpus().length} cores`;
  return `${process.platform} ${words}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Where the results of a machine lie. */
export function resultsFolder(machine = machineName()): string {
  return join(results, machine);
}

/** Where the report of a run lies: the charts of a quick one do not replace those that the docs show. */
export function reportFolder({ isQuick }: Pick<Results, 'isQuick'>): string {
  return isQuick ? join(resultsFolder(), 'quick') : resultsFolder();
}

/** Puts what a run found beside what must be known to read it. */
export function describeRun(
  rows: readonly Row[],
  { rounds, seconds, isQuick }: { rounds: number; seconds: number; isQuick: boolean },
  separation: string,
): Results {
  return {
    machine: {
      name: machineName(),
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${process.platform} ${release()}`,
      separation,
    },
    versions: readVersions(),
    commit: say('git', ['rev-parse', '--short', 'HEAD']),
    date: new Date().toISOString(),
    rounds,
    secondsPerRound: seconds,
    isQuick,
    rows,
  };
}

/** Puts a run of some scenarios in their place in an earlier one, and says so. */
export function putInto(earlier: Results, run: Results): Results {
  const scenarios = [...new Set(run.rows.map(({ scenario }) => scenario))];
  const isAgain = ({ scenario }: { readonly scenario: string }): boolean =>
    scenarios.includes(scenario);
  const { commit, date, rounds } = run;
  return {
    ...earlier,
    versions: { ...run.versions, ...earlier.versions },
    rows: [...earlier.rows.filter((row) => !isAgain(row)), ...run.rows],
    again: [
      ...(earlier.again ?? []).filter((one) => !isAgain(one)),
      ...scenarios.map((scenario) => ({ scenario, commit, date, rounds })),
    ],
  };
}

/** Writes results into this machine's folder, named by the day. */
export function writeResults(run: Results): string {
  const folder = resultsFolder();
  mkdirSync(folder, { recursive: true });
  const suffix = run.isQuick ? '-quick' : '';
  const file = join(folder, `${run.date.slice(0, 10)}${suffix}.json`);
  const text = JSON.stringify(
    run,
    (_key, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value,
    2,
  );
  writeFileSync(file, `${text}\n`);
  return file;
}

/** The newest results of a machine, by default of this one; a whole run counts before a quick one. */
export function readNewest(machine = machineName()): Results | undefined {
  const folder = resultsFolder(machine);
  if (!existsSync(folder)) return undefined;
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Results)
    .sort((a, b) => Number(a.isQuick) - Number(b.isQuick) || b.date.localeCompare(a.date));
  return all[0];
}

function readVersions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const versions: Record<string, string> = { node: process.versions.node };
  const bun = join(import.meta.dirname, '../../../node_modules/.bin/bun');
  if (existsSync(bun)) versions['bun'] = say(bun, ['--version']);
  for (const command of ['wrk', 'nginx']) {
    // wrk prints it and exits with 1.
    const { stdout, stderr } = spawnSync(command, ['-v'], { encoding: 'utf8' });
    const version = /\d+\.\d+\S*/.exec(`${stdout}${stderr}`)?.[0];
    if (version !== undefined) versions[command] = version;
  }
  const folders = require.resolve.paths('koa') ?? [];
  for (const name of [
    ...['@angular/ssr', 'express', 'fastify', 'koa', 'hono', '@hono/node-server', 'h3', 'elysia'],
    ...['sirv', 'compression', 'react', 'vue', 'solid-js', 'svelte'],
  ]) {
    const file = folders.map((at) => join(at, name, 'package.json')).find(existsSync);
    if (file === undefined) continue;
    versions[name] = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return versions;
}

function say(command: string, args: readonly string[]): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const options = { encoding: 'utf8' as const, cwd: import.meta.dirname, stdio: [...stdio] };
    return execFileSync(command, args, options).trim();
  } catch {
    return 'unknown';
  }
}
