import { encodingScaffold, encodingServer, scaffold } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import type { Entry } from '../measure/session.ts';
import { isRenderedPageIn } from '../measure/verdict.ts';
import { PRIVATE } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** What a client says that takes one encoding alone. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;

/** A page that is rendered for each request, in each encoding and in none: bytes, and CPU of all threads. */
export const encodedScenario: Scenario = {
  name: 'encoded',
  title:
    'a page that is rendered for each request, encoded and as it is, beside compression in front',
  async run(session) {
    const entry = (contestant: Contestant, work: string, encoding?: string): Entry => ({
      scenario: 'encoded',
      work,
      contestant,
      path: PRIVATE,
      headers: { 'accept-encoding': work },
      verdict: isRenderedPageIn(encoding),
      warmSeconds: 6,
      longer: 4,
      connections: 4,
    });
    const [withEncodings, plain] = [encodingServer(true), encodingServer(false)];
    try {
      return await session.interleave([
        ...ENCODINGS.map((name) => entry(withEncodings, name, name)),
        entry(withEncodings, 'identity'),
        entry(plain, 'gzip, br'),
        entry(encodingScaffold, 'br', 'br'),
        entry(encodingScaffold, 'gzip', 'gzip'),
        entry(scaffold, 'gzip, br'),
      ]);
    } finally {
      await session.stopServers();
    }
  },
};
