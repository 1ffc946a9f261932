import { bareEngine, renderingServer, scaffold } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import { loadCrowd } from '../measure/crowd-load.ts';
import { loadOpen, type OpenSecond } from '../measure/open-load.ts';
import { readProcessCost } from '../measure/process-cost.ts';
import type { Row } from '../measure/row.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

/** A private page of a thousand rows, and text that the CSR page does not have. */
const PATH = '/trade/customer-';
const MARK = 'Trade price list</h1>';

/** What is asked for, of what the server can render. */
const LOADS = [1.1, 1.5, 3, 10];
const DEADLINE_MS = 2000;
/** Visitors wait a little longer than the server takes for its answers. */
const PATIENCE_MS = 2500;

const WARM_REQUESTS = 120;
const REST_MS = 1000;
/** The capacity is measured before and after each load: the speed of a shared core changes. */
const CAPACITY_SECONDS = 12;
const CONNECTIONS = 4;
/** A minute for the effort of a whole run. */
const LOAD_SECONDS_PER_SECOND = 60 / 0.7;
const WINDOW_SECONDS = 5;

const withDeadline = (contestant: Contestant): Contestant => ({
  ...contestant,
  env: { ...contestant.env, RENDER_MAX_WAIT_MS: String(DEADLINE_MS) },
});

const CONTESTANTS: readonly Contestant[] = [
  // On a core of its own, as the two last.
  { ...withDeadline(renderingServer(0)), name: 'ng-ssr in-process', isPinned: true },
  { ...withDeadline(renderingServer(1)), name: 'ng-ssr 1 worker' },
  // Without any queue.
  bareEngine,
  scaffold,
];

/** Sustained overload: how much of what a server can render its visitors get in time. */
export const goodputScenario: Scenario = {
  name: 'goodput',
  title: 'pages in time, of capacity, when more private pages are asked for than can be rendered',
  async run(session) {
    const rows: Row[] = [];
    const seconds = Math.ceil(session.effort.seconds * LOAD_SECONDS_PER_SECOND);
    try {
      for (const times of LOADS) {
        for (const contestant of CONTESTANTS.toSorted(() => Math.random() - 0.5)) {
          session.say(`${times} times the capacity: ${contestant.name}`);
          const { origin, pid } = await session.server(contestant);
          const roughly = await measureCapacity(origin, WARM_REQUESTS);
          const requests = Math.ceil(roughly * CAPACITY_SECONDS);
          const before = await measureCapacity(origin, requests);
          const load = { path: PATH, mark: MARK, patienceMs: PATIENCE_MS, seconds };
          const visitors = await loadOpen(origin, { ...load, perSecond: before * times });
          const after = (await isAtRest(pid)) ? await measureCapacity(origin, requests) : before;
          rows.push(...toRows(contestant.name, times, (before + after) / 2, visitors));
          // What it may still render would slow down the next.
          await session.stopServers();
        }
      }
    } finally {
      await session.stopServers();
    }
    const place = ({ server }: Row): number => CONTESTANTS.findIndex(({ name }) => name === server);
    return rows.toSorted((a, b) => a.x! - b.x! || place(a) - place(b));
  },
};

/** Whether a server has stopped working when its last visitor has an answer, or has left. */
async function isAtRest(pid: number): Promise<boolean> {
  const before = readProcessCost(pid).cpuMicroseconds;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return readProcessCost(pid).cpuMicroseconds - before < (REST_MS * 1000) / 4;
}

/** Pages per second when visitors come one after another on a few kept connections. */
async function measureCapacity(origin: string, requests: number): Promise<number> {
  const sinceMs = performance.now();
  const answers = await loadCrowd(origin, {
    path: (n) => `${PATH}${n}`,
    ...{ requests, connections: CONNECTIONS, beginsWithinMs: 0 },
  });
  const wrong = answers.find(({ status }) => status !== 200);
  if (wrong !== undefined) throw new Error(`an idle server answered ${wrong.status}`);
  return (requests * 1000) / (performance.now() - sinceMs);
}

function toRows(
  server: string,
  times: number,
  capacity: number,
  visitors: readonly OpenSecond[],
): readonly Row[] {
  const percent = (seconds: readonly OpenSecond[]): number =>
    (sum(seconds, 'pages') / seconds.length / capacity) * 100;
  const windows: number[] = [];
  for (let at = 0; at + WINDOW_SECONDS <= visitors.length; at += WINDOW_SECONDS) {
    windows.push(percent(visitors.slice(at, at + WINDOW_SECONDS)));
  }
  const row = (work: string, value: number): Row => ({
    ...{ id: `goodput/${work}/${server}`, scenario: 'goodput', work, server, x: times },
    ...{ value: spreadOf([value]), unit: '% of capacity' },
    note:
      `${capacity.toFixed(1)} pages/s can be rendered; of ${sum(visitors, 'sent')} visitors ` +
      `${sum(visitors, 'pages')} got the page, ${sum(visitors, 'others')} another answer, ` +
      `${sum(visitors, 'without')} none within ${PATIENCE_MS} ms`,
  });
  return [
    row(`${times} x`, percent(visitors)),
    row(`${times} x, worst ${WINDOW_SECONDS} s`, Math.min(...windows)),
  ];
}

function sum(seconds: readonly OpenSecond[], of: keyof OpenSecond): number {
  return seconds.reduce((all, second) => all + second[of], 0);
}
