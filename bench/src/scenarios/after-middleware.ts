import { join } from 'node:path';
import { dist } from '../contestants/catalogue.ts';
import { FRAMEWORKS, measureAfterMiddleware } from '../hits/measure-after-middleware.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'after-middleware';
/** A goal of a twentieth needs more rounds than others. */
const TIMES_THE_ROUNDS = 3;

/** What a hit costs after one middleware that sets a header, and with that header declared. */
export const afterMiddlewareScenario: Scenario = {
  name: NAME,
  title:
    'a hit in br after one middleware that sets a header, and with the header declared, beside the framework alone',
  async run(session) {
    const rounds = TIMES_THE_ROUNDS * session.effort.rounds;
    const costs = await measureAfterMiddleware({
      frameworks: FRAMEWORKS,
      rounds,
      seconds: session.effort.seconds,
      warmUpSeconds: 3,
      folder: join(dist, 'app/browser'),
      onRound: (round) => session.say(`round ${round}/${rounds}`),
    });
    return costs.map(({ framework, name, microseconds, ratio }) => ({
      ...{ id: `${NAME}/${framework}/${name}`, scenario: NAME, work: framework, server: name },
      cpuUs: spreadOf(microseconds),
      ratio,
    }));
  },
};
