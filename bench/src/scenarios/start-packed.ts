import { setTimeout as wait } from 'node:timers/promises';
import { emptyServer, packedServers } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import { cpuMs } from '../measure/cpu-ms.ts';
import { get } from '../measure/request.ts';
import type { Row } from '../measure/row.ts';
import { settle } from '../measure/server.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

const ASK_EVERY_MS = 20;
const PATIENCE_MS = 120_000;

/** What the start of one process took. */
interface Start {
  readonly codedMs: number;
  readonly codedCpuMs: number;
  readonly restCpuMs: number;
}

interface Starter {
  readonly contestant: Contestant;
  readonly starts: Start[];
}

async function startOnce(session: Session, contestant: Contestant): Promise<Start> {
  const isEmpty = contestant === emptyServer;
  const sinceMs = performance.now();
  try {
    const { origin, pid } = await session.server({ ...contestant, settles: false });
    while (!isCoded(await get(`${origin}/`, { 'accept-encoding': 'br' })) && !isEmpty) {
      if (performance.now() - sinceMs > PATIENCE_MS) throw new Error('no answer in br');
      await wait(ASK_EVERY_MS);
    }
    const codedMs = performance.now() - sinceMs;
    const codedCpuMs = cpuMs(pid);
    await settle(pid);
    return { codedMs, codedCpuMs, restCpuMs: cpuMs(pid) };
  } finally {
    await session.stopServers();
  }
}

function isCoded({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  return headers['content-encoding'] === 'br';
}

/** What a start costs until the first answer in br, and until all codings are made. */
export const startPackedScenario: Scenario = {
  name: 'start-packed',
  title: 'from process start to the first answer in br and to rest, of the example packed and not',
  inQuick: false,
  async run(session) {
    const all: Starter[] = [emptyServer, ...packedServers()].map((contestant) => ({
      contestant,
      starts: [],
    }));
    // The first start fills the file cache.
    for (let round = 0; round <= session.effort.rounds; round++) {
      for (const starter of all.toSorted(() => Math.random() - 0.5)) {
        session.say(`start ${round}/${session.effort.rounds}: ${starter.contestant.name}`);
        const start = await startOnce(session, starter.contestant);
        if (round > 0) starter.starts.push(start);
      }
    }
    return all.flatMap(toRows);
  },
};

/** What is measured of a start, by the name of its rows. */
const WORKS: Readonly<Record<string, keyof Start>> = {
  'first answer in br': 'codedMs',
  'first answer in br, CPU': 'codedCpuMs',
  'at rest, CPU': 'restCpuMs',
};

function toRows({ contestant: { name: server }, starts }: Starter): Row[] {
  return Object.entries(WORKS).map(([work, time]) => ({
    id: `start-packed/${work}/${server}`,
    scenario: 'start-packed',
    work,
    server,
    value: spreadOf(starts.map((start) => start[time])),
    unit: 'ms',
    note: 'At rest the application is loaded and all codings are made; the empty server codes nothing.',
  }));
}
