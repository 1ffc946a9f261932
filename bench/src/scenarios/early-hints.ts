import { createHash, X509Certificate } from 'node:crypto';
import { loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { selfSigned } from '../../../packages/node/test/self-signed.ts';
import { hintedServer, type HintedBuild } from '../contestants/hinted-server.ts';
import { prepareRenderBuild } from '../contestants/render-builds.ts';
import { type HintedVisit, visitHintedPage } from '../measure/hinted-visit.ts';
import type { Row } from '../measure/row.ts';
import { numbersFrom, shuffled } from '../measure/seeded-numbers.ts';
import type { Session } from '../measure/session.ts';
import { type LinkSpeed, openSlowLink, type SlowLink } from '../measure/slow-link.ts';
import { quartilesOf, spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'early-hints';
const API_MS = [50, 200, 600] as const;

/** A build on a connection. */
export const HINTED_PLACES = [
  { name: 'critical CSS, 10 Mbit/s', build: 'hints-inlined', speed: speedOf(40, 10, 5) },
  { name: 'stylesheet, 10 Mbit/s', build: 'hints-linked', speed: speedOf(40, 10, 5) },
  { name: 'critical CSS, 1.6 Mbit/s', build: 'hints-inlined', speed: speedOf(75, 1.6, 0.75) },
  { name: 'stylesheet, 1.6 Mbit/s', build: 'hints-linked', speed: speedOf(75, 1.6, 0.75) },
] as const satisfies readonly {
  readonly name: string;
  readonly build: HintedBuild;
  readonly speed: LinkSpeed;
}[];

function speedOf(delayMs: number, downMbit: number, upMbit: number): LinkSpeed {
  return { delayMs, downRate: downMbit * 125_000, upRate: upMbit * 125_000 };
}

/** The page of one API delay, with hints or without. */
interface Variant {
  readonly server: string;
  readonly waitMs: number;
  readonly hasHints: boolean;
  readonly port: number;
  readonly visits: HintedVisit[];
}

/** When a browser on a phone's connection has a private page and its files, with early hints and without. */
export const earlyHintsScenario: Scenario = {
  name: NAME,
  title:
    'a private page over HTTP/2 on a slow connection, with early hints and without, whose API takes 50, 200 or 600 ms',
  async run(session) {
    const executable = findChromium();
    if (executable === undefined) throw new Error(NO_CHROMIUM);
    const tls = selfSigned();
    if (tls === undefined) throw new Error('openssl is not installed: it makes the certificate');
    session.say('builds the page');
    for (const { build } of HINTED_PLACES) prepareRenderBuild(build, []);
    session.useAllCores();
    // Chromium ignores hints on connections whose certificate it does not trust.
    const key = new X509Certificate(tls.cert).publicKey.export({ type: 'spki', format: 'der' });
    const trusted = createHash('sha256').update(key).digest('base64');
    const browser = await openBrowser(executable, [
      `--ignore-certificate-errors-spki-list=${trusted}`,
    ]);
    const links: SlowLink[] = [];
    try {
      const variants: Variant[] = [];
      for (const { name, build, speed } of HINTED_PLACES) {
        for (const hasHints of [false, true]) {
          const { origin } = await session.server(hintedServer(build, hasHints, tls));
          const link = await openSlowLink(Number(new URL(origin).port), speed);
          links.push(link);
          for (const waitMs of API_MS) {
            const server = `${name}, API ${waitMs} ms${hasHints ? ', early hints' : ''}`;
            variants.push({ server, waitMs, hasHints, port: link.port, visits: [] });
          }
        }
      }
      const note = await visitAll(session, browser, variants);
      return toRows(variants, `${note}, Chromium ${browser.version()}`);
    } finally {
      await browser.close();
      for (const link of links) await link.close();
      await session.stopServers();
    }
  },
};

/** In shuffled rounds, so that other work of the machine touches all alike. The first warms up, and teaches the hints. */
async function visitAll(
  session: Session,
  browser: Browser,
  variants: readonly Variant[],
): Promise<string> {
  const { rounds } = session.effort;
  const seed = Date.now() % 2 ** 32;
  const next = numbersFrom(seed);
  const load = loadavg()[0]!.toFixed(1);
  for (let round = 0; round <= rounds; round++) {
    for (const { server, port, waitMs, hasHints, visits } of shuffled(variants, next)) {
      session.say(`round ${round}/${rounds}: ${server}`);
      const url = `https://localhost:${port}/live/account`;
      const visit = await visitHintedPage(browser, url, { waitMs, hasHints });
      if (round > 0) visits.push(visit);
    }
  }
  return `${rounds} rounds, seed ${seed}, load average before them ${load} on ${session.cores} cores`;
}

function toRows(variants: readonly Variant[], note: string): readonly Row[] {
  const works = Object.keys(variants[0]?.visits[0] ?? {}) as (keyof HintedVisit)[];
  return works.flatMap((work) =>
    variants.map(({ server, visits }): Row => {
      const values = visits.map((visit) => visit[work]);
      const row = { id: `${NAME}/${work}/${server}`, scenario: NAME, work, server, unit: 'ms' };
      return { ...row, note, value: spreadOf(values), quartiles: quartilesOf(values) };
    }),
  );
}
