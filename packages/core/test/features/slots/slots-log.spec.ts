import { channelOf, type RequestEvent, type RequestLogEntry, withRequestLog } from '@ng-ssr/core';
import { expect, onTestFinished, test } from 'vitest';
import { plainExchange } from '../../plain-exchange.ts';
import { ANN, slottedServer } from './slotted-server.ts';

test('a page with slots is logged when it has ended, with the bytes that were sent', async () => {
  const entries: RequestLogEntry[] = [];
  const write = (requests: readonly RequestLogEntry[]): void => void entries.push(...requests);
  const events: RequestEvent[] = [];
  const listener = (event: RequestEvent): void => void events.push(event);
  channelOf('ng-ssr:request').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:request').unsubscribe(listener));
  const slots = { cart: { fill: async () => 1 }, endless: { fill: () => new Promise(() => 0) } };
  const server = slottedServer(slots, { features: [withRequestLog({ write })] });
  const page = await server.read('/a', {});
  const answer = await server.answer(plainExchange('/a', ANN));
  if (!('content' in answer)) throw new Error('no slots');
  const start = await answer.content.read();
  expect(events).toHaveLength(1);
  // The client leaves before the end.
  await answer.content.close();
  await answer.content.close();
  await expect.poll(() => entries.length).toBe(2);
  expect(events.map(({ bytes }) => bytes)).toEqual([page.pieces[0]!.byteLength, start!.byteLength]);
  expect(entries).toMatchObject(events);
  expect(events[1]!.cacheStatus).toMatch(/; hit/);
});

test('whole pages with slots have all of their bytes in the log', async () => {
  const entries: RequestLogEntry[] = [];
  const write = (requests: readonly RequestLogEntry[]): void => void entries.push(...requests);
  const server = slottedServer(
    { cart: { fill: async () => 1 } },
    { features: [withRequestLog({ write })] },
  );
  const { pieces } = await server.read('/a', { ...ANN, 'accept-encoding': 'gzip' });
  await expect.poll(() => entries.length).toBe(1);
  expect(entries[0]!.bytes).toBe(Buffer.concat(pieces).byteLength);
});
