import { expect, test } from 'vitest';
import type { RenderEngine } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { prerendered, writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

/** Keeps the event loop busy, and reads connections meanwhile, until the promise or the time is over. */
async function keepBusy(ms: number, isOver: () => boolean = () => false): Promise<void> {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs && !isOver();) {
    for (const turnEndsMs = performance.now() + 5; performance.now() < turnEndsMs;);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A handler whose engine counts how often it is asked for its constant pages, which loads the application. */
function create(): { handler: SsrHandler; loads: () => number; isEncoded: () => boolean } {
  let loads = 0;
  const engine: RenderEngine = Object.assign(() => null, {
    constantPages: () => {
      loads++;
      return Promise.resolve({ pages: [], find: () => undefined });
    },
  });
  const page = prerendered('words and more words. '.repeat(500));
  const folder = writeBuiltSite({ 'browser/index.html': page });
  const handler = new SsrHandler({ engine, allowedHosts: ['localhost'], files: { folder } });
  const isEncoded = (): boolean => {
    const answer = handler.answer(plainExchange('/', { 'accept-encoding': 'gzip' }));
    return answer?.headers.includes('gzip') === true;
  };
  return { handler, loads: () => loads, isEncoded };
}

test('requests at the start come before the application is loaded and files are encoded', async () => {
  const { handler, loads, isEncoded } = create();
  const ready = handler.ready();
  await keepBusy(200);
  expect(loads()).toBe(0);
  expect(isEncoded()).toBe(false);
  await ready;
  expect(loads()).toBe(1);
  expect(isEncoded()).toBe(true);
});

test('a server that is never idle loads and codes all the same', async () => {
  const { handler, loads, isEncoded } = create();
  let isReady = false;
  void handler.ready().then(() => (isReady = true));
  await keepBusy(60_000, () => isReady);
  expect(loads()).toBe(1);
  expect(isEncoded()).toBe(true);
});

test('an engine whose load fails is used all the same', async () => {
  const calls: string[] = [];
  const engine: RenderEngine = Object.assign(() => new Response('page'), {
    setup: () => void calls.push('setup'),
    load: () => {
      calls.push('load');
      return Promise.reject(new Error('not yet'));
    },
  });
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('home') });
  const errors: unknown[] = [];
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['localhost'],
    files: { folder },
    onError: (error) => void errors.push(error),
  });
  await handler.ready();
  expect(calls).toEqual(['setup', 'load']);
  expect(errors).toEqual([]);
  expect((await handler.render(plainExchange('/page')))?.status).toBe(200);
  expect(calls).toEqual(['setup', 'load']);
});

test('a server that is closed meanwhile loads nothing', async () => {
  const { handler, loads } = create();
  const ready = handler.ready();
  await handler.close();
  await ready;
  expect(loads()).toBe(0);
});

test('an engine that has rendered is not loaded', async () => {
  let loads = 0;
  const engine: RenderEngine = Object.assign(() => new Response('page'), {
    load: () => Promise.resolve(void loads++),
  });
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('home') });
  const handler = new SsrHandler({ engine, allowedHosts: ['localhost'], files: { folder } });
  await handler.render(plainExchange('/page'));
  await handler.ready();
  expect(loads).toBe(0);
});
