import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { prepareRenderBuild } from '../contestants/render-builds.ts';
import { timelinePeer, versionOf } from '../contestants/timeline-peers.ts';
import type { Contestant } from '../measure/contestant.ts';
import { type Visit, visitPage } from '../measure/page-visit.ts';
import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'timeline';
/** How long the data of the visitor takes. */
const FILL_MS = 600;

/** What a reader must know of the machine: other work takes time from the browser. */
function noteOfMachine({ cores }: Session): string {
  const load = loadavg()[0]!.toFixed(1);
  return `load average before the visits: ${load} on ${cores} cores`;
}

/** A page whose data of the visitor comes in one way. */
interface Way {
  readonly name: string;
  readonly contestant: Contestant;
  readonly path: string;
  readonly isPersonal: boolean;
}

const UNITS: Readonly<Record<keyof Visit, string>> = {
  'first byte': 'ms',
  'first paint': 'ms',
  'slot visible': 'ms',
  hydrated: 'ms',
  requests: 'requests',
  'document bytes': 'bytes',
  'script bytes': 'bytes',
};

/** When a visitor on a slow connection sees a page, and the data of this visitor, which takes 600 ms. */
export const timelineScenario: Scenario = {
  name: NAME,
  title:
    'a page with data of its visitor on a slow connection: cached, fetched, private, slots; PPR and server islands',
  async run(session) {
    const executable = findChromium();
    if (executable === undefined) throw new Error(NO_CHROMIUM);
    session.say('builds the page with Angular, Next.js and Astro');
    const ways = toWays();
    session.useAllCores();
    const browser = await openBrowser(executable);
    try {
      const note = noteOfMachine(session);
      return toRows(ways, await visitAll(session, browser, ways), note);
    } finally {
      await browser.close();
      await session.stopServers();
    }
  },
};

function toWays(): readonly Way[] {
  prepareRenderBuild('timeline-app', []);
  const server = join(
    import.meta.dirname,
    '../../../tmp/bench/render/timeline-app/server/server.mjs',
  );
  const ours: Contestant = {
    name: 'ng-ssr timeline',
    runtime: 'node',
    command: [process.execPath, server],
    env: { FILL_MS: String(FILL_MS) },
    isPinned: false,
  };
  const angular = (name: string, path: string): Way => {
    return { name, contestant: ours, path, isPersonal: path !== '/cached' };
  };
  const next = `Next.js ${versionOf('next')} PPR`;
  const astro = `Astro ${versionOf('astro')} server islands`;
  return [
    angular('cached page without slots', '/cached'),
    angular('cached page, client fetch', '/fetch'),
    angular('private page that waits', '/private'),
    angular('ng-ssr slots', '/slots'),
    angular('ng-ssr island slots', '/island'),
    { name: next, contestant: timelinePeer('next', next, FILL_MS), path: '/', isPersonal: true },
    { name: astro, contestant: timelinePeer('astro', astro, FILL_MS), path: '/', isPersonal: true },
  ];
}

/** In rounds, so that other work of the machine touches all ways alike. The first round is for warming up. */
async function visitAll(
  session: Session,
  browser: Browser,
  ways: readonly Way[],
): Promise<ReadonlyMap<Way, readonly Visit[]>> {
  const visits = new Map(ways.map((way) => [way, [] as Visit[]]));
  for (let round = 0; round <= session.effort.rounds; round++) {
    for (let at = 0; at < ways.length; at++) {
      const way = ways[(at + round) % ways.length]!;
      session.say(`round ${round}/${session.effort.rounds}: ${way.name}`);
      const { origin } = await session.server(way.contestant);
      const visit = await visitPage(browser, origin + way.path, way.isPersonal);
      if (round > 0) visits.get(way)!.push(visit);
    }
  }
  return visits;
}

function toRows(
  ways: readonly Way[],
  visits: ReadonlyMap<Way, readonly Visit[]>,
  note: string,
): readonly Row[] {
  return (Object.keys(UNITS) as (keyof Visit)[]).flatMap((work) =>
    ways.flatMap((way): Row[] => {
      const values = visits.get(way)!.flatMap((visit) => visit[work] ?? []);
      if (values.length === 0) return [];
      const id = `${NAME}/${work}/${way.name}`;
      const row = { id, scenario: NAME, work, server: way.name, note };
      return [{ ...row, value: spreadOf(values), unit: UNITS[work] }];
    }),
  );
}
