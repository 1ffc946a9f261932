import { join } from 'node:path';
import {
  articleStart,
  dist,
  limits,
  nodeAlone,
  ourServers,
  scaffold,
  staticServers,
} from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import type { Row } from '../measure/row.ts';
import type { Entry } from '../measure/session.ts';
import { isFileIn, isFile, isNotModified } from '../measure/verdict.ts';
import { findScript, homePageFile, IDENTITY, readBuilt } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const NOT_INSTALLED: Row = {
  id: 'hits/page/@rx-angular/isr',
  scenario: 'hits',
  work: 'page',
  server: '@rx-angular/isr',
  voidBecause: 'does not install: 21.0.2, its latest, asks for Angular 21 and Express 4 as peers',
};

/** What the pages and scripts of the builds are. */
export interface BuiltHits {
  readonly page: Buffer;
  readonly commonPage: Buffer;
  readonly script: string;
  readonly scriptBytes: Buffer;
}

/** Most of a quick run on a busy machine is the start of servers. */
const IN_QUICK = ['node', 'koa', 'fastify', 'express'];

/** Who is asked for what. In a quick run the adapters on node:http have a row each, and each kind of response a few. */
export function hitEntries(built: BuiltHits, isQuick: boolean): readonly Entry[] {
  const { page, commonPage, script, scriptBytes } = built;
  const entry = { scenario: 'hits', path: '/', headers: IDENTITY };
  const ours = [nodeAlone, ...ourServers()];
  const nodeLimits = limits(homePageFile);
  const scriptLimits = limits(join(dist, 'app/browser', script)).map((limit) => ({
    ...limit,
    name: `${limit.name} (script)`,
  }));
  const peers = [scaffold, ...staticServers()];
  const whole = (contestant: Contestant, bytes = page): Entry => ({
    ...entry,
    work: 'page',
    contestant,
    verdict: isFile(bytes),
  });
  const notModified = (contestant: Contestant): Entry => ({
    ...entry,
    work: '304',
    contestant,
    revalidates: 'tag',
    verdict: isNotModified,
  });
  const brotli = (contestant: Contestant): Entry => ({
    ...entry,
    work: 'br',
    headers: { 'accept-encoding': 'br' },
    contestant,
    verdict: isFileIn('br', page),
  });
  const hashedScript = (contestant: Contestant): Entry => ({
    ...entry,
    work: 'script',
    path: `/${script}`,
    contestant,
    verdict: isFile(scriptBytes),
  });
  if (isQuick) {
    const few = [nodeAlone, nodeLimits[0]!];
    const adapters = ourServers().filter(
      ({ env = {} }) => IN_QUICK.includes(env['ADAPTER']!) && env['HITS'] !== 'before-middleware',
    );
    return [
      ...[...adapters, ...few, scaffold].map((contestant) => whole(contestant)),
      ...[...few, scaffold].map(notModified),
      ...few.map(brotli),
    ];
  }
  return [
    ...[...ours, ...peers, ...nodeLimits].map((contestant) => whole(contestant)),
    whole(articleStart, commonPage),
    ...[...ours, ...peers, ...nodeLimits].map(notModified),
    ...[...ours, ...nodeLimits].map(brotli),
    ...[...ours, ...peers, ...scriptLimits].map(hashedScript),
  ];
}

/** A prerendered page, whole, in Brotli and not modified, and a hashed script: us and the peers. */
export const hitsScenario: Scenario = {
  name: 'hits',
  title: 'bare requests for a prerendered page (identity, br, 304) and a 260 KB script',
  quick: {
    seconds: 20,
    without:
      'hits before middleware, adapters without node:http, the script, most peers, 304 and br of most servers',
  },
  async run(session) {
    const script = findScript();
    const built: BuiltHits = {
      page: readBuilt('app', 'index.html'),
      commonPage: readBuilt('common', 'index.html'),
      script,
      scriptBytes: readBuilt('app', script),
    };
    try {
      const rows = await session.interleave(hitEntries(built, session.effort.isQuick));
      return [...rows, NOT_INSTALLED];
    } finally {
      await session.stopServers();
    }
  },
};
