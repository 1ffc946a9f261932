import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ourServers } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import { cpuMs } from '../measure/cpu-ms.ts';
import { get } from '../measure/request.ts';
import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import { UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** What the start of one process took. */
interface Start {
  readonly hitMs: number;
  readonly hitCpuMs: number;
  readonly renderMs: number;
  readonly renderCpuMs: number;
}

interface Starter {
  readonly contestant: Contestant;
  readonly starts: Start[];
}

async function startOnce(session: Session, contestant: Contestant): Promise<Start> {
  const sinceMs = performance.now();
  const ask = async (origin: string, path: string): Promise<number> => {
    const { status } = await get(origin + path);
    if (status !== 200) throw new Error(`${contestant.name}: status ${status}`);
    return performance.now() - sinceMs;
  };
  try {
    const { origin, pid } = await session.server({ ...contestant, settles: false });
    const hitMs = await ask(origin, '/');
    const hitCpuMs = cpuMs(pid);
    const renderMs = await ask(origin, UNSTORED);
    const renderCpuMs = cpuMs(pid);
    return { hitMs, hitCpuMs, renderMs, renderCpuMs };
  } finally {
    await session.stopServers();
  }
}

function starters(compileCache: string): readonly Starter[] {
  const node = ourServers().find(({ name }) => name === 'ng-ssr node')!;
  const cached = {
    ...node,
    name: `${node.name}, NODE_COMPILE_CACHE`,
    env: { ...node.env, NODE_COMPILE_CACHE: compileCache },
  };
  return [node, cached].map((contestant) => ({ contestant, starts: [] }));
}

/** From the start of a process to its first prerendered and its first rendered page. */
export const startExampleScenario: Scenario = {
  name: 'start-example',
  title: 'from process start to the first hit, and from there to the first render, of the example',
  inQuick: false,
  async run(session) {
    const compileCache = mkdtempSync(join(tmpdir(), 'ng-ssr-bench-'));
    try {
      const all = starters(compileCache);
      // The first start fills the compile cache and the file cache.
      for (let round = 0; round <= session.effort.rounds; round++) {
        for (const starter of all.toSorted(() => Math.random() - 0.5)) {
          session.say(`start ${round}/${session.effort.rounds}: ${starter.contestant.name}`);
          const start = await startOnce(session, starter.contestant);
          if (round > 0) starter.starts.push(start);
        }
      }
      return all.flatMap(toRows);
    } finally {
      rmSync(compileCache, { recursive: true, force: true });
    }
  },
};

/** What is measured of a start, by the name of its rows. */
const WORKS: Readonly<Record<string, keyof Start>> = {
  'first hit': 'hitMs',
  'first hit, CPU': 'hitCpuMs',
  'first render': 'renderMs',
  'first render, CPU': 'renderCpuMs',
};

function toRows({ contestant: { name: server }, starts }: Starter): Row[] {
  return Object.entries(WORKS).map(([work, time]) => ({
    id: `start-example/${work}/${server}`,
    scenario: 'start-example',
    work,
    server,
    value: spreadOf(starts.map((start) => start[time])),
    unit: 'ms',
    note: 'The render is asked for when the hit is answered; the file cache is warm.',
  }));
}
