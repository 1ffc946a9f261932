import { channelOf, type SlotEvent } from '@ng-ssr/core';
import { collectMetrics } from '@ng-ssr/core/prometheus';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { SlotOutage } from '../../../src/features/slots/slot-outage.ts';
import { slottedServer } from './slotted-server.ts';

/** An outage of the slot `cart`, and its reports. */
function watched() {
  const told: string[] = [];
  const clock = { ms: 0 };
  const report = ({ message }: Error): void => void told.push(message);
  const outage = new SlotOutage('cart', report, () => clock.ms);
  const fail = (reason: string, isSlow = true): void =>
    outage.fail({ path: '/a', outcome: 'keeps its fallback', reason, cause: undefined, isSlow });
  return { outage, told, clock, fail };
}

test('an outage is reported once for each cause, counted each minute, and at its end', () => {
  const { outage, told, clock, fail } = watched();
  for (let at = 0; at < 100; at++) fail(at % 2 === 0 ? 'late' : 'refused');
  expect(told).toEqual(
    ['late', 'refused'].map((each) => `the slot cart of /a keeps its fallback: ${each}`),
  );
  clock.ms = 60_000;
  fail('late');
  expect(told[2]).toMatch(/late; 99 more pages kept its fallback in 60 s$/);
  clock.ms += 1000;
  // It may fail again.
  outage.succeed();
  expect(told).toHaveLength(3);
  clock.ms += 10_000;
  outage.succeed();
  outage.succeed();
  expect(told.slice(3)).toEqual([
    'the slot cart is filled again: 99 more pages kept its fallback in 60 s',
  ]);
  fail('late');
  expect(told).toHaveLength(5);
});

test('causes that all differ are no flood', () => {
  const { told, fail } = watched();
  for (let at = 0; at < 100; at++) fail(`request ${at}`);
  expect(told).toHaveLength(5);
});

test('after slow failures in a row no fill is called for five seconds, and then one', () => {
  const { outage, clock, fail } = watched();
  for (let at = 0; at < 4; at++) fail('late');
  expect(outage.mayCall()).toBe(true);
  fail('late');
  expect(outage.mayCall()).toBe(false);
  clock.ms = 4999;
  expect(outage.mayCall()).toBe(false);
  clock.ms = 5000;
  expect([outage.mayCall(), outage.mayCall()]).toEqual([true, false]);
  outage.succeed();
  expect([outage.mayCall(), outage.mayCall()]).toEqual([true, true]);
});

test('failures that are fast, as those of one client, end no calls', () => {
  const { outage, fail } = watched();
  for (let at = 0; at < 50; at++) fail('no session', false);
  expect(outage.mayCall()).toBe(true);
});

test('a fill that hangs is soon not called, and the metric says so', async () => {
  const registry = new Registry();
  onTestFinished(collectMetrics(registry));
  const events: SlotEvent[] = [];
  const listener = (event: SlotEvent): void => void events.push(event);
  channelOf('ng-ssr:slot').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:slot').unsubscribe(listener));
  let calls = 0;
  const server = slottedServer({
    cart: { fill: () => new Promise(() => void calls++), timeoutMs: 10 },
    name: { fill: async () => 'ann' },
  });
  for (let at = 0; at < 7; at++) expect((await server.read('/a')).slots).toEqual({ name: 'ann' });
  expect(calls).toBe(5);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_SLOT_FAILED']);
  const results = events.filter(({ slot }) => slot === 'cart').map(({ result }) => result);
  expect(results).toEqual([...Array<string>(5).fill('timeout'), 'skipped', 'skipped']);
  expect(events[0]!.durationMs).toBeLessThan(events[1]!.durationMs);
  const metrics = await registry.metrics();
  expect(metrics).toContain('ng_ssr_slot_duration_seconds_count{slot="name",outcome="filled"} 7');
  expect(metrics).toContain('ng_ssr_slot_duration_seconds_count{slot="cart",outcome="skipped"} 2');
});

test('a cause that has no text ends the slot, not the response', async () => {
  const bare: unknown = Object.create(null);
  const { errors, read } = slottedServer({ cart: { fill: () => Promise.reject(bare as Error) } });
  const { status, text } = await read('/a');
  expect([status, text.endsWith('</html>')]).toEqual([200, true]);
  expect(errors.map(({ code, cause }) => [code, cause])).toEqual([['NG_SSR_SLOT_FAILED', bare]]);
});
