import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  encodingNginx,
  encodingScaffold,
  dist,
  limits,
  nodeAlone,
  ourServers,
  scaffold,
  sirv,
  socketLimit,
} from '../contestants/catalogue.ts';
import { MODULE_SCRIPT, NAVIGATION } from '../measure/browser-request.ts';
import type { Contestant } from '../measure/contestant.ts';
import type { Row } from '../measure/row.ts';
import type { Entry } from '../measure/session.ts';
import { isFile, isFileIn, isNotModified, type Verdict } from '../measure/verdict.ts';
import { findScript, homePageFile, readBuilt } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'browser';
const WORKS = ['page', '304', 'script'] as const;

/** A server, and the content encoding that it has for browsers. */
interface Encoded {
  readonly contestant: Contestant;
  readonly encoding: 'br' | 'gzip' | 'identity';
}

/** A first visit, a second one, and a script, asked for with every header that a browser sends. */
export const browserScenario: Scenario = {
  name: NAME,
  title:
    'a page, its 304 and a script as a browser asks for them, with what each server puts on the wire',
  async run(session) {
    const script = findScript();
    const page = readBuilt('app', 'index.html');
    const scriptBytes = readBuilt('app', script);
    const ours = ourServers();
    const nginx = encodingNginx();
    const missing = whyNot(nginx.brotli);
    const servers: readonly Encoded[] = [
      ...[nodeAlone, ...ours].map((contestant) => ({ contestant, encoding: 'br' as const })),
      { contestant: sirv(), encoding: 'br' },
      { contestant: nginx.gzip, encoding: 'gzip' },
      ...(missing === undefined ? [{ contestant: nginx.brotli, encoding: 'br' as const }] : []),
      { contestant: scaffold, encoding: 'identity' },
      { contestant: encodingScaffold, encoding: 'br' },
    ];
    const whole = (bytes: Buffer, encoding: Encoded['encoding']): Verdict =>
      encoding === 'identity' ? isFile(bytes) : isFileIn(encoding, bytes);
    // Encoding an answer takes longer than a round of twenty connections.
    const slow = (contestant: Contestant): Partial<Entry> =>
      contestant === encodingScaffold ? { connections: 4, longer: 4, warmSeconds: 2 } : {};
    const visit = ({ contestant, encoding }: Encoded): Entry => ({
      ...{ scenario: NAME, work: 'page', contestant, path: '/', headers: NAVIGATION },
      verdict: whole(page, encoding),
      ...slow(contestant),
    });
    const secondVisit = (contestant: Contestant): Entry => ({
      ...{ scenario: NAME, work: '304', contestant, path: '/', headers: NAVIGATION },
      revalidates: 'tag and date',
      verdict: isNotModified,
    });
    const asset = ({ contestant, encoding }: Encoded): Entry => ({
      ...{ scenario: NAME, work: 'script', contestant, path: `/${script}`, headers: MODULE_SCRIPT },
      server: contestant.name.replace(' (script)', ''),
      verdict: whole(scriptBytes, encoding),
      ...slow(contestant),
    });
    const limitsOf = (file: string): readonly Contestant[] => [...limits(file), socketLimit(file)];
    const pageLimits = limitsOf(homePageFile);
    const scriptLimits = limitsOf(join(dist, 'app/browser', script)).map((limit) => ({
      contestant: { ...limit, name: `${limit.name} (script)` },
      encoding: 'br' as const,
    }));
    try {
      const rows = await session.interleave([
        ...[
          ...servers,
          ...pageLimits.map((contestant) => ({ contestant, encoding: 'br' as const })),
        ].map(visit),
        ...[...servers.map(({ contestant }) => contestant), ...pageLimits].map(secondVisit),
        ...[...servers, ...scriptLimits].map(asset),
      ]);
      return [...rows, ...(missing === undefined ? [] : notMeasured(nginx.brotli.name, missing))];
    } finally {
      await session.stopServers();
    }
  },
};

/** Why nginx cannot send Brotli here, if so. */
function whyNot({ command }: Contestant): string | undefined {
  const module = command.at(-1)!;
  if (existsSync(module)) return undefined;
  return `${module} is missing: run "apt-get install libnginx-mod-http-brotli-static"`;
}

function notMeasured(server: string, voidBecause: string): readonly Row[] {
  return WORKS.map((work) => ({
    ...{ id: `${NAME}/${work}/${server}`, scenario: NAME, work, server, voidBecause },
  }));
}
