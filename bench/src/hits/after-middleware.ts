/**
 * What a hit of the page cache costs after one middleware that sets a header, and with `withHeaders()` in its place
 * ("declared"): server CPU per request, beside the same framework and middleware alone, which send the same bytes, in
 * interleaved rounds of one run. A ratio is that of a round, and the framework alone beside itself ("again") says how much
 * of it is noise.
 *
 *   npm run hits:after-middleware -w bench [-- --rounds 15 --seconds 1 --warm-up 5 --only fastify,koa --folder <browser folder> \
 *     --against <another checkout, built>]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quartilesOf } from '../measure/spread.ts';
import { FRAMEWORKS, measureAfterMiddleware } from './measure-after-middleware.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '5' },
    against: { type: 'string' },
    only: { type: 'string', default: FRAMEWORKS.join() },
    folder: {
      type: 'string',
      default: join(import.meta.dirname, '../../../examples/material-app/dist/app/browser'),
    },
  },
});
const costs = await measureAfterMiddleware({
  frameworks: values.only.split(','),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmUpSeconds: Number(values['warm-up']),
  folder: values.folder,
  against: values.against,
  onRound: (round) => process.stderr.write(`\rround ${round}/${values.rounds} `),
});
process.stderr.write('\r');
console.log('server              us CPU/request   of the framework   half of the rounds');
for (const { name, microseconds, ratio } of costs) {
  console.log(
    name.padEnd(19),
    quartilesOf(microseconds).median.toFixed(1).padStart(14),
    ratio.median.toFixed(3).padStart(18),
    `${ratio.lower.toFixed(3)}-${ratio.upper.toFixed(3)}`.padStart(20),
  );
}
