import { stress } from '@ng-ssr/conformance/fuzz';
import type { SlotOptions } from '@ng-ssr/core';
import { expect, test } from 'vitest';
import { plainExchange } from '../../plain-exchange.ts';
import { BATCHES, leastGrowth } from '../../render/held-bytes.ts';
import { ANN, readAnswer, slottedServer } from './slotted-server.ts';

const FILLS = stress(10_000);
const AT_A_TIME = 250;
/** A fraction of what the responses take: each has a page of 2 KB, a Request, a signal and a timer. */
const MOST_BYTES_EACH = 200;

test(`${FILLS} fills that hang leave a flat heap, and so do clients that leave`, async () => {
  /** Every fifth call ends: with five that hang in a row, a slot would not be called any more. */
  const hanging = (at: number): SlotOptions => {
    let calls = 0;
    const fill = (): unknown => {
      if (++calls % 5 === 0) return calls;
      hung++;
      return new Promise(() => undefined);
    };
    return { routes: [`/${at}`], fill, timeoutMs: 5 };
  };
  let hung = 0;
  const server = slottedServer({
    ...Object.fromEntries(Array.from({ length: AT_A_TIME }, (_, at) => [`cart${at}`, hanging(at)])),
    name: { fill: async () => 'ann' },
  });
  const ask = async (at: number): Promise<void> => {
    const isLeaving = at % 2 === 0;
    const answer = await server.answer(plainExchange(`/${at}`, ANN));
    if (isLeaving && 'content' in answer) {
      await answer.content.read();
      await answer.content.close();
    } else expect((await readAnswer(answer)).slots).toMatchObject({ name: 'ann' });
  };
  const askAll = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += AT_A_TIME) {
      await Promise.all(Array.from({ length: AT_A_TIME }, (_, at) => ask(at)));
      server.errors.length = 0;
    }
  };
  await askAll(AT_A_TIME);
  hung = 0;
  const batch = FILLS / BATCHES;
  const most = batch * MOST_BYTES_EACH;
  const grown = await leastGrowth(() => askAll(batch), most);
  expect(hung).toBeGreaterThan(FILLS * 0.7);
  expect(grown).toBeLessThan(most);
}, 60_000);
