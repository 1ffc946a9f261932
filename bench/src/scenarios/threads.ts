import { threadServers } from '../contestants/thread-servers.ts';
import { signSession } from '../contestants/session-token.ts';
import { NAVIGATION } from '../measure/browser-request.ts';
import { isFileIn } from '../measure/verdict.ts';
import { readBuilt } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const CONNECTIONS = 64;

/**
 * What more server threads gain while the load comes from the same cores. A hit costs the server two or three times what
 * it costs wrk, which thus takes much of what a second thread could use. Behind a middleware that checks a signed
 * session it costs at least five times as much: there most of the cores is left to the threads. The table has how many
 * cores each of both kept busy, and which was the bound; node:http in threads shows what the machine allows.
 */
export const threadsScenario: Scenario = {
  name: 'threads',
  title:
    'server threads on one port, servers and wrk on all cores: a page as browsers ask, alone and behind the check of a signed session',
  async run(session) {
    const counts = [1, 2, 4, 8, 16].filter((count) => count <= session.cores);
    const signed = signSession();
    const verdict = isFileIn('br', readBuilt('app', 'index.html'));
    const entry = { scenario: 'threads', path: '/', verdict };
    const load = { connections: CONNECTIONS, loadThreads: Math.max(1, session.cores >> 1) };
    const cookie = `${NAVIGATION['Cookie']}; session=${signed.token}`;
    try {
      return await session.interleave([
        ...threadServers(counts).map((one) => ({
          ...{ ...entry, ...load, work: 'page', ...one, headers: NAVIGATION },
        })),
        ...threadServers(counts, signed.publicKey).map((one) => ({
          ...{ ...entry, ...load, work: 'session', ...one },
          headers: { ...NAVIGATION, Cookie: cookie },
        })),
      ]);
    } finally {
      await session.stopServers();
    }
  },
};
