import type { InspectorPages, RequestEvent } from '@ng-ssr/core';
import { channelOf } from '../../src/telemetry/channels.ts';
import { expect, onTestFinished, test } from 'vitest';
import { inspectedServer } from '../features/inspector/inspected-server.ts';
import { storedServer } from '../pages/stored-server.ts';
import { plainExchange } from '../plain-exchange.ts';

test('find() leaves no trace: an answer is published and counted once it is sent', async () => {
  const page = `<html>${'text '.repeat(1000)}</html>`;
  const { handler, get, inspect } = inspectedServer(
    () =>
      new Response(page, {
        headers: { 'content-type': 'text/html', 'cache-control': 's-maxage=60' },
      }),
  );
  await get('/page');
  const events: RequestEvent[] = [];
  const note = (event: RequestEvent): void => {
    if (event.target === '/page') events.push(event);
  };
  const channel = channelOf('ng-ssr:request');
  channel.subscribe(note);
  onTestFinished(() => channel.unsubscribe(note));
  const encodings = (): readonly string[] => handler.cache.inspect().pages[0]!.encodings;
  const hits = async (): Promise<number | undefined> =>
    (JSON.parse((await inspect('/pages')).text) as InspectorPages).pages[0]?.hits;

  for (let i = 0; i < 5; i++) expect(handler.find(plainExchange('/page'))?.status).toBe(200);
  expect(events).toEqual([]);
  expect(await hits()).toBe(0);
  // The second hit has all encodings made.
  expect(encodings()).toEqual([]);

  for (let i = 0; i < 2; i++) {
    const exchange = plainExchange('/page', {}, i === 0 ? 'GET' : 'HEAD');
    handler.sent(exchange, handler.find(exchange)!);
  }
  expect(events.map(({ method, result }) => `${method} ${result}`)).toEqual([
    'GET hit',
    'HEAD hit',
  ]);
  expect(await hits()).toBe(2);
  await expect.poll(encodings).toContain('br');
});

test('find() leaves probes to those who answer them apart', () => {
  const { handler } = storedServer(() => null, { probes: { live: '/livez' } });
  expect(handler.find(plainExchange('/livez'))).toBeUndefined();
  expect(handler.answer(plainExchange('/livez'))?.status).toBe(200);
});
