import { threadServers } from '../contestants/thread-servers.ts';
import { signSession } from '../contestants/session-token.ts';
import { NAVIGATION } from '../measure/browser-request.ts';
import { isFileIn } from '../measure/verdict.ts';
import { readBuilt } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const CONNECTIONS = 64;
const NOTE =
  'Servers and wrk may use all cores. The generator is not the bound where "cores of wrk" is far below its threads ' +
  'and "cores of server" near those of the server.';

/**
 * What a second server thread gains while the load comes from the same machine. A hit costs the server a few
 * times what it costs wrk, so on two cores wrk needs much of what the second thread could use. Behind a middleware that
 * checks a signed session a hit costs twenty times what it costs wrk: there threads show what they can do.
 */
export const threadsScenario: Scenario = {
  name: 'threads',
  title:
    'server threads on one port: a page as browsers ask, alone and behind the check of a signed session',
  inQuick: false,
  async run(session) {
    const counts = [1, 2, 4, 8, 16].filter((count) => count <= session.cores);
    const signed = signSession();
    const verdict = isFileIn('br', readBuilt('app', 'index.html'));
    const entry = { scenario: 'threads', path: '/', note: NOTE, verdict };
    const load = { connections: CONNECTIONS, loadThreads: Math.max(1, session.cores >> 1) };
    const cookie = `${NAVIGATION['Cookie']}; session=${signed.token}`;
    try {
      return await session.interleave([
        ...threadServers(counts).map(({ server, contestant }) => ({
          ...{ ...entry, ...load, work: 'page', server, contestant, headers: NAVIGATION },
        })),
        ...threadServers(counts, signed.publicKey).map(({ server, contestant }) => ({
          ...{ ...entry, ...load, work: 'session', server, contestant },
          headers: { ...NAVIGATION, Cookie: cookie },
        })),
      ]);
    } finally {
      await session.stopServers();
    }
  },
};
