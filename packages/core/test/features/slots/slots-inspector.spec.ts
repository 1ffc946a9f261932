import { expect, test } from 'vitest';
import { type InspectorState, withInspector } from '@ng-ssr/core';
import { plainExchange } from '../../plain-exchange.ts';
import { BEARER, PATH, TOKEN } from '../inspector/inspected-server.ts';
import { ANN, readAnswer, type SlottedServer, slottedServer } from './slotted-server.ts';

const inspector = withInspector({ path: PATH, token: TOKEN });

async function slotsOf({ answer }: SlottedServer): Promise<InspectorState['slots']> {
  const state = await readAnswer(await answer(plainExchange(`${PATH}/state`, BEARER)));
  return (JSON.parse(state.text) as InspectorState).slots;
}

test('the inspector shows the slots of its server, and how often they were filled', async () => {
  const server = slottedServer(
    {
      cart: { fill: () => 1, call: '/api/cart' },
      // As a member that all objects have.
      constructor: { routes: ['/a', '/b/**'], fill: () => Promise.reject(new Error('no API')) },
      slow: { routes: ['/slow'], fill: () => new Promise(() => undefined), timeoutMs: 5 },
    },
    { features: [inspector] },
  );
  await server.handler.ready();
  const none = { filled: 0, failed: 0, timeout: 0, skipped: 0 };
  expect(await slotsOf(server)).toEqual([
    { name: 'cart', routes: ['/**'], call: '/api/cart', ...none },
    { name: 'constructor', routes: ['/a', '/b/**'], ...none },
    { name: 'slow', routes: ['/slow'], ...none },
  ]);
  await server.read('/a');
  await server.read('/b/c');
  await server.read('/d');
  // After five slow failures in a row, fill is not called.
  for (let request = 0; request < 7; request++) await server.read('/slow', ANN);
  expect(await slotsOf(server)).toEqual([
    { name: 'cart', routes: ['/**'], call: '/api/cart', ...none, filled: 10 },
    { name: 'constructor', routes: ['/a', '/b/**'], ...none, failed: 2 },
    { name: 'slow', routes: ['/slow'], ...none, timeout: 5, skipped: 2 },
  ]);
  await server.handler.close();
});
