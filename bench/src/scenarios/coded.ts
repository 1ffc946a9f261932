import { codingScaffold, codingServer, scaffold } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import type { Entry } from '../measure/session.ts';
import { isRenderedPageIn } from '../measure/verdict.ts';
import { PRIVATE } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** What a client says that takes one coding alone. */
const CODINGS = ['zstd', 'br', 'gzip'] as const;

/** A page that is rendered for each request, in each coding and in none: bytes, and CPU of all threads. */
export const codedScenario: Scenario = {
  name: 'coded',
  title:
    'a page that is rendered for each request, coded and as it is, beside compression in front',
  inQuick: false,
  async run(session) {
    const entry = (contestant: Contestant, work: string, coding?: string): Entry => ({
      scenario: 'coded',
      work,
      contestant,
      path: PRIVATE,
      headers: { 'accept-encoding': work },
      verdict: isRenderedPageIn(coding),
      warmSeconds: 6,
      longer: 4,
      connections: 4,
    });
    const [coding, plain] = [codingServer(true), codingServer(false)];
    try {
      return await session.interleave([
        ...CODINGS.map((name) => entry(coding, name, name)),
        entry(coding, 'identity'),
        entry(plain, 'gzip, br'),
        entry(codingScaffold, 'br', 'br'),
        entry(codingScaffold, 'gzip', 'gzip'),
        entry(scaffold, 'gzip, br'),
      ]);
    } finally {
      await session.stopServers();
    }
  },
};
