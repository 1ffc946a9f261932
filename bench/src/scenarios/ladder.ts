import { ladder, limits, ourServers } from '../contestants/catalogue.ts';
import { isFile } from '../measure/verdict.ts';
import { homePageFile, IDENTITY, readBuilt } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** The steps of the article, and ours and the limits beside them. */
export const ladderScenario: Scenario = {
  name: 'ladder',
  title: "the article's steps on one Material build, beside its published ratios",
  async run(session) {
    const common = readBuilt('common', 'index.html');
    const app = readBuilt('app', 'index.html');
    const entry = { scenario: 'ladder', work: 'page', path: '/', headers: IDENTITY };
    try {
      return await session.interleave([
        ...ladder().map(({ contestant, published }) => ({
          ...entry,
          contestant,
          published,
          verdict: isFile(common),
        })),
        ...ourServers('common').map((contestant) => ({
          ...entry,
          contestant,
          verdict: isFile(common),
        })),
        ...limits(homePageFile).map((contestant) => ({
          ...entry,
          contestant,
          verdict: isFile(app),
        })),
      ]);
    } finally {
      await session.stopServers();
    }
  },
};
