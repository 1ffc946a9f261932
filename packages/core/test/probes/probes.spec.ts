import { describe, expect, test, vi } from 'vitest';
import { type SsrError, type SsrOptions, withPrewarm } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { prerendered, writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

const probes = { live: '/livez', ready: '/readyz' };

function create(options: Partial<SsrOptions> = {}): SsrHandler {
  return new SsrHandler({
    engine: () => new Response('page', { headers: { 'cache-control': 's-maxage=60' } }),
    allowedHosts: ['localhost'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
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

test('HEAD has the headers and no content; other methods and targets are no probes', () => {
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
    features: [withPrewarm({ paths: ['/a', '/b'], origin: 'http://localhost', blocksReady: true })],
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
    features: [withPrewarm({ paths: ['/a'], origin: 'http://localhost' })],
  });
  expect(ask(handler, '/readyz')).toBe('200 ok');
});

/** What the probe says when its check has ended. */
async function askCheck(handler: SsrHandler, method = 'GET'): Promise<string> {
  const { status, body } = (await handler.probe(method, '/readyz'))!;
  return `${status} ${Buffer.from(body ?? '')}`.trim();
}

describe('a check of the user', () => {
  const withCheck = (
    check: () => unknown,
    options: object = {},
    onError: SsrOptions['onError'] = () => undefined,
  ): SsrHandler => create({ probes: { ready: { path: '/readyz', check, ...options } }, onError });

  test('is asked when the probe is, and its result used for a while', async () => {
    let calls = 0;
    const check = async (): Promise<void> => void calls++;
    const handler = withCheck(check, { intervalMs: 60_000 });
    expect(calls).toBe(0);
    const asked = Array.from({ length: 50 }, () => askCheck(handler));
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['200 ok']));
    expect(await askCheck(handler, 'HEAD')).toBe('200');
    expect(calls).toBe(1);
    expect(handler.probe('GET', '/livez')).toBeUndefined();
  });

  test.each([
    ['throws', () => unreachable()],
    ['rejects', () => Promise.reject(new Error('password of db.internal: hunter2'))],
    ['says false', () => false],
    ['says false later', async () => false],
  ])('that %s is a 503; onError gets the reason, the client does not', async (_how, check) => {
    const errors: SsrError[] = [];
    const handler = withCheck(check, { intervalMs: 0 }, (error) => void errors.push(error));
    for (let time = 0; time < 3; time++) expect(await askCheck(handler)).toBe('503 failing');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'NG_SSR_NOT_READY' });
    expect(errors[0]!.message).toMatch(/hunter2|returned false/);
  });

  test('that succeeds again is ready again, and its next failure is reported', async () => {
    const errors: SsrError[] = [];
    let isUp = false;
    const handler = withCheck(
      () => isUp,
      { intervalMs: 0 },
      (error) => void errors.push(error),
    );
    expect(await askCheck(handler)).toBe('503 failing');
    isUp = true;
    expect(await askCheck(handler)).toBe('200 ok');
    isUp = false;
    expect(await askCheck(handler)).toBe('503 failing');
    expect(errors).toHaveLength(2);
  });

  test('that hangs is a 503 when its time is up, and is not begun once more', async () => {
    let calls = 0;
    let end = (): void => undefined;
    const hang = (): Promise<void> => {
      calls++;
      return new Promise((resolve) => (end = resolve));
    };
    const handler = withCheck(hang, { timeoutMs: 10, intervalMs: 0 });
    for (let time = 0; time < 3; time++) expect(await askCheck(handler)).toBe('503 failing');
    expect(calls).toBe(1);
    end();
    await new Promise((resolve) => setImmediate(resolve));
    const asked = askCheck(handler);
    await vi.waitFor(() => expect(calls).toBe(2));
    end();
    expect(await asked).toBe('200 ok');
  });

  test('is not asked of a process that drains', async () => {
    let calls = 0;
    const handler = withCheck(() => calls++, { intervalMs: 0 });
    const asked = askCheck(handler);
    handler.drain();
    expect(await asked).toBe('503 draining');
    expect(await askCheck(handler)).toBe('503 draining');
    expect(calls).toBe(1);
  });

  test('is left to the asynchronous half where a middleware asks, whatever the host', async () => {
    const handler = withCheck(() => true);
    const exchange = plainExchange('/readyz', { host: 'a b' });
    expect(handler.answer(exchange)).toBeUndefined();
    expect((await handler.render(exchange))?.status).toBe(200);
  });
});

function unreachable(): never {
  throw new Error('password of db.internal: hunter2');
}

test.each([
  [{ ready: { path: 'readyz' } }, 'probes.ready.path is "readyz" (string); allowed: a path'],
  [{ ready: { path: '/r', check: true } }, 'probes.ready.check is true (boolean)'],
  [{ ready: { path: '/r', timeoutMs: 0 } }, 'probes.ready.timeoutMs is 0 (number)'],
  [{ ready: { path: '/r', intervalMs: -1 } }, 'probes.ready.intervalMs is -1 (number)'],
  [
    { ready: { path: '/r', every: 1 } },
    'there is no option probes.ready.every: the options are path, check',
  ],
  [true, 'probes is true (boolean); allowed: an object of paths'],
  [
    { live: 'livez' },
    'probes.live is "livez" (string); allowed: a path that starts with "/", without',
  ],
  [{ ready: '/readyz?full' }, 'probes.ready is "/readyz?full" (string)'],
  [{ ready: '/rea dy' }, 'probes.ready is "/rea dy" (string)'],
  [{ live: 1 }, 'probes.live is 1 (number)'],
  [{ live: '/z', ready: '/z' }, 'probes.ready is "/z" (string); allowed: a path other than'],
  [{ startup: '/z' }, 'there is no option probes.startup: the options are live, ready'],
])('%j is refused', (wrong, message) => {
  expect(() => create({ probes: wrong as never })).toThrow(message);
});
