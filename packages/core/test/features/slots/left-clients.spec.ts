import { expect, test } from 'vitest';
import { plainExchange } from '../../plain-exchange.ts';
import { ANN, page, readAnswer, slottedServer } from './slotted-server.ts';

test.each([true, false])('a client that leaves during the render, %s: fills', async (hasLeft) => {
  let fills = 0;
  let leave = (): void => undefined;
  const server = slottedServer({ cart: { fill: () => ++fills } }, {}, async (...args) => {
    await Promise.resolve();
    if (hasLeft) leave();
    return page(...args);
  });
  const listeners = new Set<() => void>();
  leave = () => listeners.forEach((each) => each());
  const answer = await server.answer({
    ...plainExchange('/a', ANN),
    onDisconnect: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  await readAnswer(answer);
  expect(fills).toBe(hasLeft ? 0 : 1);
  expect(listeners.size).toBe(0);
  expect(server.errors).toEqual([]);
});
