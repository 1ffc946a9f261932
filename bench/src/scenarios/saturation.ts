import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { renderingServer } from '../contestants/catalogue.ts';
import { loadPaced } from '../measure/paced-load.ts';
import { readProcessCost } from '../measure/process-cost.ts';
import type { Row } from '../measure/row.ts';
import { type Spread, spreadOf } from '../measure/spread.ts';
import { UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const HITS_PER_SECOND = 300;
const WARM_SECONDS = 4;

interface Setting {
  readonly name: string;
  readonly workers: number;
  readonly connections: number;
  readonly isBeside?: boolean;
  readonly v8Threads?: number;
  readonly fast?: boolean;
}

/** Renders as many as the machine can, and hits at a fixed rate beside them. */
const SETTINGS: readonly Setting[] = [
  { name: 'idle', workers: 0, connections: 0 },
  // What a busy core alone does to hits, whatever keeps it busy.
  { name: 'idle beside a busy program', workers: 0, connections: 0, isBeside: true },
  { name: 'in-process', workers: 0, connections: 4 },
  { name: 'in-process, fast: false', workers: 0, connections: 4, fast: false },
  { name: '1 worker', workers: 1, connections: 4 },
  { name: '1 worker, fast: false', workers: 1, connections: 4, fast: false },
  { name: '2 workers', workers: 2, connections: 8 },
  // V8's own threads, four by default, are those that collect garbage beside the others.
  { name: '1 worker, --v8-pool-size=1', workers: 1, connections: 4, v8Threads: 1 },
  { name: '2 workers, --v8-pool-size=1', workers: 2, connections: 8, v8Threads: 1 },
];

/** It may use the cores that the server may, and ends by itself if it is not ended before. */
function startBusy(prefix: readonly string[], seconds: number): ChildProcess {
  const program = join(import.meta.dirname, '../measure/busy-loop.ts');
  const [command, ...args] = [...prefix, process.execPath, program, String(seconds + 5)];
  return spawn(command!, args, { stdio: 'ignore' });
}

/** What renders do to hits, in the process of the hits and in threads of their own. */
export const saturationScenario: Scenario = {
  name: 'saturation',
  title: 'hits at 300/s beside renders at saturation: in-process, and in worker threads',
  async run(session) {
    const { rounds, seconds } = session.effort;
    const runs = SETTINGS.map((setting) => ({
      ...setting,
      p50: [] as number[],
      p99: [] as number[],
      perSecond: [] as number[],
      perCpuSecond: [] as number[],
    }));
    try {
      for (let round = 0; round <= rounds; round++) {
        for (const run of runs.toSorted(() => Math.random() - 0.5)) {
          session.say(`${round === 0 ? 'warm-up' : `round ${round}/${rounds}`}: ${run.name}`);
          const server = await session.server(
            renderingServer(run.workers, run.v8Threads, run.fast),
          );
          const duration = round === 0 ? WARM_SECONDS : seconds * 4;
          const beside = run.isBeside ? startBusy(session.onAllCores, duration) : undefined;
          const before = readProcessCost(server.pid).cpuMicroseconds;
          const { hits, renders } = await loadPaced(server.origin, {
            hit: '/',
            hitsPerSecond: HITS_PER_SECOND,
            render: UNSTORED,
            renderConnections: run.connections,
            seconds: duration,
          });
          beside?.kill();
          if (round === 0) continue;
          const cpuSeconds = (readProcessCost(server.pid).cpuMicroseconds - before) / 1e6;
          const sorted = hits.toSorted((a, b) => a - b);
          run.p50.push(sorted[Math.floor(sorted.length * 0.5)]!);
          run.p99.push(sorted[Math.floor(sorted.length * 0.99)]!);
          run.perSecond.push(renders / duration);
          run.perCpuSecond.push(renders / cpuSeconds);
        }
      }
    } finally {
      await session.stopServers();
    }
    const row = (work: string, server: string, value: Spread, unit: string): Row => ({
      ...{ id: `saturation/${work}/${server}`, scenario: 'saturation', work, server, value, unit },
      note: 'Koa; the server, its workers and the load generator share all cores.',
    });
    return runs.flatMap(({ name, connections, p50, p99, perSecond, perCpuSecond }) => [
      row('hits p50', name, spreadOf(p50), 'ms'),
      row('hits p99', name, spreadOf(p99), 'ms'),
      ...(connections === 0
        ? []
        : [
            row('renders', name, spreadOf(perSecond), 'per second'),
            row('renders per CPU second', name, spreadOf(perCpuSecond), 'per CPU second'),
          ]),
    ]);
  },
};
