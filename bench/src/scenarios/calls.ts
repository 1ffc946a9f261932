import { join } from 'node:path';
import type { CallingSite } from '../contestants/calling-node.ts';
import { callingExample, dist, program } from '../contestants/catalogue.ts';
import type { Row } from '../measure/row.ts';
import type { Entry } from '../measure/session.ts';
import { isRenderedPage } from '../measure/verdict.ts';
import { IDENTITY } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** Calls of each page: what the page itself costs is measured beside them, and subtracted. */
const COUNT = 10;
const API_MS = 5;

type Ways = Readonly<Record<string, Partial<CallingSite>>>;

/** The ways in which a page's call is answered, the most expensive first. */
const WAYS: Ways = {
  'loopback socket, bare fetch': {},
  'loopback socket': { rule: {} },
  'in-process': { rule: { inProcess: true } },
  deduplicated: { rule: { dedupe: true }, apiMs: API_MS },
  cached: { rule: { cache: { sMaxAge: 3600 } } },
};

const NOT_IN_QUICK = ['loopback socket', 'deduplicated'];

/** A page of the example that makes three calls, rendered for each request. */
const THREE_CALLS = '/live/3';

/** What a page of Angular's costs and how long it takes whose calls go by socket, in-process, or come from memory. */
export const pageOfCallsScenario: Scenario = {
  name: 'page-of-calls',
  title:
    'a page that makes three calls to its own API, rendered for each request: by socket, in-process, cached',
  async run(session) {
    const ways = [
      ['socket', 'three calls, loopback socket'],
      ['in-process', 'three calls, in-process'],
      ['cached', 'three calls, cached'],
    ] as const;
    try {
      return await session.interleave(
        ways.map(([way, server]) => ({
          scenario: 'page-of-calls',
          work: 'page',
          contestant: callingExample(server, way),
          path: THREE_CALLS,
          headers: IDENTITY,
          verdict: isRenderedPage,
          warmSeconds: 6,
          longer: 2,
          connections: 4,
        })),
      );
    } finally {
      await session.stopServers();
    }
  },
};

/** What a call costs the server whose page makes it, and whose route answers it. */
export const callsScenario: Scenario = {
  name: 'calls',
  title: `server CPU per call of a page to the server's own API, ${COUNT} calls a page: by socket, in-process, deduplicated, cached`,
  quick: { seconds: 11, without: `the ways ${NOT_IN_QUICK.join(' and ')}` },
  async run(session) {
    const entryOf = (server: string, site: Partial<CallingSite>): Entry => {
      const whole = { folder: join(dist, 'app/browser'), count: COUNT, apiMs: 0, ...site };
      return {
        scenario: 'calls',
        work: 'page',
        contestant: program(server, 'calling-node.ts', [JSON.stringify(whole)]),
        path: '/page',
        headers: IDENTITY,
        verdict: ({ status }) => (status === 200 ? undefined : `status ${status}`),
        warmSeconds: 3,
      };
    };
    const entries = [
      entryOf('no calls', { count: 0 }),
      ...Object.entries(WAYS)
        .filter(([way]) => !session.effort.isQuick || !NOT_IN_QUICK.includes(way))
        .map(([way, site]) => entryOf(way, site)),
    ];
    try {
      const rows = await session.interleave(entries);
      return [...rows, ...rows.slice(1).map((row) => toCost(row, rows[0]!))];
    } finally {
      await session.stopServers();
    }
  },
};

/** What one of a page's calls costs. */
function toCost(page: Row, bare: Row): Row {
  const { scenario, server, cpuUs, voidBecause } = page;
  const row: Row = { id: `${scenario}/call/${server}`, scenario, work: 'call', server };
  if (voidBecause !== undefined || cpuUs === undefined || bare.cpuUs === undefined) {
    return { ...row, voidBecause: voidBecause ?? 'the page without calls was not measured' };
  }
  const least = bare.cpuUs.median;
  const costOf = (us: number): number => (us - least) / COUNT;
  const [median, min, max] = [cpuUs.median, cpuUs.min, cpuUs.max].map(costOf);
  return { ...row, value: { median: median!, min: min!, max: max! }, unit: 'µs per call' };
}
