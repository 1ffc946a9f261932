import { renderingServer } from '../contestants/catalogue.ts';
import { type CrowdAnswer, loadCrowd } from '../measure/crowd-load.ts';
import { loadMixed } from '../measure/mixed-load.ts';
import { readProcessCost } from '../measure/process-cost.ts';
import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import { UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const REQUESTS = 10_000;
const CONNECTIONS = 500;
const DEADLINE_MS = 1000;
const TIMEOUT_MS = 3000;
const WARM_SECONDS = 4;
const SETTINGS = [
  { name: 'in-process', workers: 0 },
  { name: '1 worker', workers: 1 },
];

/** What came in a page's place. */
const KINDS = ['csr', '503'] as const;

/** Pages that are never done: whether everybody is answered in time all the same. */
export const hungScenario: Scenario = {
  name: 'hung',
  title:
    '10,000 requests on 500 connections for a page that never ends: answer times against the deadline',
  async run(session) {
    const rows: Row[] = [];
    try {
      for (const { name, workers } of SETTINGS) {
        session.say(name);
        try {
          rows.push(...(await measure(session, name, workers)));
        } catch (error) {
          const voidBecause = (error as Error).message;
          rows.push({ ...toRow('longest past the deadline', name), voidBecause });
        }
      }
      return rows;
    } finally {
      await session.stopServers();
    }
  },
};

async function measure(session: Session, name: string, workers: number): Promise<readonly Row[]> {
  const contestant = renderingServer(workers);
  const server = await session.server({
    ...contestant,
    name: `${contestant.name}, hung`,
    env: {
      ...contestant.env,
      RENDER_MAX_WAIT_MS: String(DEADLINE_MS),
      RENDER_TIMEOUT_MS: String(TIMEOUT_MS),
      // All wait: a request that is turned away has an answer at once, which would say nothing here.
      RENDER_MAX_QUEUED: String(REQUESTS),
    },
  });
  // A program's first render takes far longer than any other.
  await loadMixed(server.origin, {
    ...{ hit: '/', render: UNSTORED },
    ...{ seconds: WARM_SECONDS, connections: 4 },
  });
  const answers = await loadCrowd(server.origin, {
    // A page of its own for each: requests for one page share its render.
    path: (n) => `/hang?n=${n}`,
    requests: REQUESTS,
    connections: CONNECTIONS,
    beginsWithinMs: DEADLINE_MS,
  });
  const kinds = answers.map(kindOf);
  const late = answers.map(({ ms }) => ms - DEADLINE_MS).sort((a, b) => a - b);
  const row = (work: string, value: number, unit: string): Row => ({
    ...toRow(work, name),
    ...{ value: spreadOf([value]), unit },
    note: `Koa; a deadline of ${DEADLINE_MS} ms, renders time out after ${TIMEOUT_MS} ms.`,
  });
  return [
    row('p50 past the deadline', late[Math.floor(late.length * 0.5)]!, 'ms'),
    row('p99 past the deadline', late[Math.floor(late.length * 0.99)]!, 'ms'),
    row('longest past the deadline', late.at(-1)!, 'ms'),
    ...KINDS.map((kind) =>
      row(`answers: ${kind}`, kinds.filter((each) => each === kind).length, 'answers'),
    ),
    row('peak memory', readProcessCost(server.pid).peakBytes / 2 ** 20, 'MiB'),
  ];
}

/** @throws Error when it is anything else. */
function kindOf({ status, cacheStatus }: CrowdAnswer): (typeof KINDS)[number] {
  if (status === 503) return '503';
  if (status === 200 && cacheStatus.includes('detail=csr-')) return 'csr';
  throw new Error(`a hung page was answered with ${status} and "${cacheStatus}"`);
}

function toRow(work: string, server: string): Pick<Row, 'id' | 'scenario' | 'work' | 'server'> {
  return { id: `hung/${work}/${server}`, scenario: 'hung', work, server };
}
