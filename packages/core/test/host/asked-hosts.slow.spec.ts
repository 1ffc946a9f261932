import { stress } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { plainExchange } from '../plain-exchange.ts';
import { BATCHES, leastGrowth } from '../render/held-bytes.ts';

const HOSTS = stress(1_000_000);
/** Enough for the tables to be full. */
const FIRST = 50_000;
/** For a quarter of the others. */
const MOST_BYTES = 1_000_000;

test(`${HOSTS} hosts leave no more on the heap than ${FIRST}`, async () => {
  const handler = new SsrHandler({
    engine: () => null,
    // Every tenth host is asked for asynchronously.
    allowedHosts: (host) => {
      const isAllowed = host.endsWith('.shop');
      return host.includes('0.') ? Promise.resolve(isAllowed) : isAllowed;
    },
    onError: () => undefined,
  });
  const send = async (from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i++) {
      const exchange = plainExchange('/', { host: `h${i}.${i % 3 === 0 ? 'shop' : 'example'}` });
      handler.answer(exchange);
      if (i % 10 === 0) await handler.render(exchange);
    }
  };
  await send(0, FIRST);
  const batch = (HOSTS - FIRST) / BATCHES;
  let next = FIRST;
  const grown = await leastGrowth(() => send(next, (next += batch)), MOST_BYTES);
  expect(grown).toBeLessThan(MOST_BYTES);
}, 120_000);
