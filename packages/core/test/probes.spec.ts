import { expect, test, vi } from 'vitest';
import { SsrHandler, type SsrOptions } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from './built-site.ts';
import { plainExchange } from './plain-exchange.ts';

const probes = { live: '/livez', ready: '/readyz' };

function create(options: Partial<SsrOptions> = {}): SsrHandler {
  return new SsrHandler({
    engine: () => new Response('page', { headers: { 'cache-control': 's-maxage=60' } }),
    allowedHosts: ['localhost'],
    browserFolder: writeBuiltSite({ 'browser/index.html': prerendered('home') }),
    probes,
    ...options,
  });
}

/** Status and text of what a probe gets, `200 ok` for example. */
function ask(handler: SsrHandler, target: string): string {
  const answer = handler.answer(plainExchange(target));
  return `${answer?.status} ${Buffer.from(answer?.body ?? '')}`.trim();
}

test('probes are answered whatever the host, and never stored', () => {
  const handler = create();
  for (const host of ['10.0.0.7:4000', 'elsewhere.example', '', 'a b']) {
    for (const target of ['/livez', '/readyz']) {
      const answer = handler.answer(plainExchange(target, { host }));
      expect(answer?.status).toBe(200);
      expect(answer?.headers.join()).toContain('Cache-Control,no-store');
    }
  }
});

test('HEAD has the fields and no content; other methods and targets are no probes', () => {
  const handler = create();
  const get = handler.answer(plainExchange('/livez'));
  const head = handler.answer(plainExchange('/livez', {}, 'HEAD'));
  expect(head).toEqual({ ...get, body: null });
  for (const method of ['POST', 'OPTIONS']) {
    expect(handler.answer(plainExchange('/livez', {}, method))).toBeUndefined();
    expect(handler.probe(method, '/livez')).toBeUndefined();
  }
  for (const target of ['/livez/', '/livez?verbose', '/Livez', '/']) {
    expect(handler.probe('GET', target)).toBeUndefined();
  }
});

test('there are none unless they are asked for, and one may be alone', () => {
  const none = create({ probes: undefined });
  expect(ask(none, '/livez')).toBe('undefined');
  expect(none.probe('GET', '/readyz')).toBeUndefined();
  const alone = create({ probes: { ready: '/healthz' } });
  expect(ask(alone, '/healthz')).toBe('200 ok');
  expect(ask(alone, '/livez')).toBe('undefined');
});

test('a draining process lives and is not ready, and answers all the same', () => {
  const handler = create();
  expect(handler.isDraining).toBe(false);
  handler.drain();
  expect(handler.isDraining).toBe(true);
  expect(ask(handler, '/readyz')).toBe('503 draining');
  expect(ask(handler, '/livez')).toBe('200 ok');
  expect(ask(handler, '/')).toMatch(/^200 /);
});

test('one that is closed is not ready', async () => {
  const handler = create();
  await handler.close();
  expect(ask(handler, '/readyz')).toBe('503 draining');
});

test('ready waits for prewarmed pages that block it, and the first probe starts them', async () => {
  const renders: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const handler = create({
    engine: async ({ url }) => {
      renders.push(new URL(url).pathname);
      await released;
      return new Response('page', { headers: { 'cache-control': 's-maxage=60' } });
    },
    cache: {
      prewarm: { paths: ['/a', '/b'], origin: 'http://localhost', blocksReady: true },
    },
  });
  expect(ask(handler, '/readyz')).toBe('503 starting');
  expect(ask(handler, '/livez')).toBe('200 ok');
  await vi.waitFor(() => expect(renders).toEqual(['/a']));
  expect(ask(handler, '/readyz')).toBe('503 starting');
  release();
  await vi.waitFor(() => expect(ask(handler, '/readyz')).toBe('200 ok'));
  expect(renders).toEqual(['/a', '/b']);
  expect(handler.answer(plainExchange('/b'))?.status).toBe(200);
});

test('ready does not wait for prewarmed pages that do not block it', () => {
  const handler = create({
    engine: () => new Promise(() => undefined),
    cache: { prewarm: { paths: ['/a'], origin: 'http://localhost' } },
  });
  expect(ask(handler, '/readyz')).toBe('200 ok');
});

test.each([
  [true, 'probes is true (boolean): allowed is an object of paths'],
  [{ live: 'livez' }, 'probes.live is "livez" (string): allowed is a path from "/", without'],
  [{ ready: '/readyz?full' }, 'probes.ready is "/readyz?full" (string)'],
  [{ ready: '/rea dy' }, 'probes.ready is "/rea dy" (string)'],
  [{ live: 1 }, 'probes.live is 1 (number)'],
  [{ live: '/z', ready: '/z' }, 'probes.ready is "/z" (string): allowed is another path than'],
  [{ startup: '/z' }, 'there is no option "startup": the options are live, ready'],
])('%j is refused', (wrong, message) => {
  expect(() => create({ probes: wrong as never })).toThrow(message);
});
