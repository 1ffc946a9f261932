import { bareEngine, ourServers, scaffold } from '../contestants/catalogue.ts';
import { isRenderedPage } from '../measure/verdict.ts';
import { IDENTITY, UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** A page that must be rendered, beside the engine's own render. */
export const missScenario: Scenario = {
  name: 'miss',
  title: 'a page that is rendered for each request, beside the engine called bare',
  quick: { seconds: 12, without: 'adapters other than node' },
  async run(session) {
    const { isQuick } = session.effort;
    // `hits` changes nothing on a miss.
    const ours = ourServers().filter(({ env }) => env?.['HITS'] !== 'before-middleware');
    try {
      return await session.interleave(
        [bareEngine, scaffold, ...(isQuick ? ours.slice(0, 1) : ours)].map((contestant) => ({
          scenario: 'miss',
          work: 'page',
          contestant,
          path: UNSTORED,
          headers: IDENTITY,
          verdict: isRenderedPage,
          warmSeconds: 6,
          longer: 2,
          // Renders in flight when a round ends are paid for but not counted: few at a time.
          connections: 4,
        })),
      );
    } finally {
      await session.stopServers();
    }
  },
};
