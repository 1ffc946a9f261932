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

/** A prerendered page, whole, in Brotli and not modified, and a hashed script: us and the peers. */
export const hitsScenario: Scenario = {
  name: 'hits',
  title: 'bare requests for a prerendered page (identity, br, 304) and a 260 KB script',
  inQuick: true,
  async run(session) {
    const page = readBuilt('app', 'index.html');
    const script = findScript();
    const entry = { scenario: 'hits', path: '/', headers: IDENTITY };
    const { isQuick } = session.effort;
    const ours = [
      nodeAlone,
      ...ourServers().filter(({ env }) => !isQuick || env?.['HITS'] !== 'before-middleware'),
    ];
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
      verdict: isFile(readBuilt('app', script)),
    });
    try {
      const rows = await session.interleave([
        ...[...ours, ...peers, ...nodeLimits].map((contestant) => whole(contestant)),
        whole(articleStart, readBuilt('common', 'index.html')),
        ...[...ours, scaffold, ...staticServers(), ...nodeLimits].map(notModified),
        ...(isQuick ? [] : [...ours, ...nodeLimits].map(brotli)),
        ...(isQuick ? [] : [...ours, ...peers, ...scriptLimits].map(hashedScript)),
      ]);
      return [...rows, NOT_INSTALLED];
    } finally {
      await session.stopServers();
    }
  },
};
