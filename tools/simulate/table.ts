import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PhaseFigures } from './figures.ts';
import { gigabytes, percent, whole } from './report.ts';
import type { Scenario } from './scenario.ts';

/** What one run has shown. */
export interface Run {
  readonly scenario: Scenario;
  readonly phases: readonly PhaseFigures[];
}

const PHASES = 'steady,hard-purge,shard-lost,deploy';
const EACH = { phases: PHASES, phaseSeconds: 30, deploySeconds: 24, restartSeconds: 2 };

/** The fleets of the table, each with 100 requests per second and machine. */
const ROWS: readonly Partial<Scenario>[] = [
  { machines: 1, pages: 100_000, shards: 0, requestsPerSecond: 100, warmUpSeconds: 240 },
  { machines: 4, pages: 1_000_000, shards: 0, requestsPerSecond: 400, warmUpSeconds: 240 },
  { machines: 4, pages: 1_000_000, shards: 3, requestsPerSecond: 400, warmUpSeconds: 240 },
  { machines: 20, pages: 10_000_000, shards: 3, requestsPerSecond: 2000, warmUpSeconds: 120 },
  {
    ...{ machines: 20, pages: 10_000_000, shards: 3, requestsPerSecond: 2000 },
    ...{ memoryMib: 1024, warmUpSeconds: 480 },
  },
  {
    ...{ machines: 200, pages: 10_000_000, shards: 12, requestsPerSecond: 20_000 },
    ...{ warmUpSeconds: 40, phaseSeconds: 12, deploySeconds: 10 },
  },
];

/** The last old page came at the end of the phase: without a store, other machines do not learn of the purge. */
const REST_SECONDS = 3;

type Column = readonly [title: string, show: (run: Run) => string];

const of =
  (phase: string, show: (figures: PhaseFigures, scenario: Scenario) => string) =>
  ({ phases, scenario }: Run): string => {
    const figures = phases.find((each) => each.phase === phase);
    return figures === undefined ? '' : show(figures, scenario);
  };

const COLUMNS: readonly Column[] = [
  ['machines', ({ scenario }) => whole(scenario.machines)],
  ['pages', ({ scenario }) => whole(scenario.pages)],
  ['memory each', ({ scenario }) => `${scenario.memoryMib} MiB`],
  ['from memory', of('steady', ({ memory }) => percent(memory))],
  [
    'from the store',
    of('steady', ({ store }, { shards }) => (shards > 0 ? percent(store) : 'none')),
  ],
  ['renders/s', of('steady', ({ rendersPerSecond }) => whole(rendersPerSecond))],
  ['busy cores', of('steady', ({ busyCores }) => busyCores.toFixed(1))],
  [
    'store',
    of('steady', ({ storeGb }, { shards }) => (shards > 0 ? `${gigabytes(storeGb)} GB` : '')),
  ],
  [
    'traffic',
    of('steady', ({ storeMbPerSecond }, { shards }) =>
      shards > 0 ? `${whole(storeMbPerSecond)} MB/s` : '',
    ),
  ],
  [
    'old pages after a purge',
    of('hard-purge', ({ staleSeconds, old, seconds }, { machines }) => {
      if (machines > 1 && staleSeconds! > seconds - REST_SECONDS) return 'until they expire';
      return old === 0 ? 'none' : `for ${Math.round(staleSeconds! * 1000)} ms`;
    }),
  ],
  ['peak after it', of('hard-purge', ({ peakRenders }) => `${whole(peakRenders)}/s`)],
  ['peak without a shard', of('shard-lost', ({ peakRenders }) => `${whole(peakRenders)}/s`)],
  ['peak after a deploy', of('deploy', ({ peakRenders }) => `${whole(peakRenders)}/s`)],
];

/** Simulates all fleets, each in a process of its own. */
export async function runAll(program: string): Promise<Run[]> {
  const all: Run[] = [];
  for (const row of ROWS) {
    const options = Object.entries({ ...EACH, ...row }).flatMap(([name, value]) => [
      `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      String(value),
    ]);
    console.error(`simulate ${options.join(' ')}`);
    all.push(await run(program, [...options, '--json', '-']));
  }
  return all;
}

async function run(program: string, options: readonly string[]): Promise<Run> {
  const args = [...process.execArgv, program, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`a simulation has ended with ${code}`);
  return JSON.parse(text) as Run;
}

/** A table in Markdown, a line for each fleet. */
export function formatTable(runs: readonly Run[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(COLUMNS.map(([title]) => title)),
    row(COLUMNS.map(() => '---:')),
    ...runs.map((each) => row(COLUMNS.map(([, show]) => show(each)))),
  ].join('\n');
}
