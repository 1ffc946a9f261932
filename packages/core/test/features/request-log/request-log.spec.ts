import { spawnSync } from 'node:child_process';
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it, vi } from 'vitest';
import { type RequestLogEntry, type SsrOptions, withRequestLog, withPrewarm } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { html, storedServer, type StoredServer } from '../../pages/stored-server.ts';

/** A server with one prerendered page, and what it has logged. */
function logged(options: Partial<SsrOptions> = {}, headers?: readonly string[]) {
  const batches: (readonly RequestLogEntry[])[] = [];
  const server = storedServer(
    ({ url }) => {
      if (url.endsWith('/boom')) throw new Error('cracked');
      return url.endsWith('/null') ? null : html('page', { 'cache-control': 's-maxage=60' });
    },
    {
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
      features: [withRequestLog({ write: (requests) => void batches.push(requests), headers })],
      probes: { live: '/livez' },
      ...options,
    },
  );
  return { server, batches, lines: () => batches.flat() };
}

const ask = async ({ handler }: StoredServer, target: string): Promise<unknown> => {
  const exchange = plainExchange(target);
  return handler.answer(exchange) ?? (await handler.render(exchange)) ?? handler.notFound(exchange);
};

it('one entry for each answer, in batches, and none for probes', async () => {
  const { server, lines } = logged();
  const beforeMs = Date.now();
  for (const target of ['/', '/p', '/p', '/boom', '/null', '/livez', '/%ff']) {
    await ask(server, target);
  }
  server.handler.fail(plainExchange('/route'), new Error('cracked'));
  await vi.waitFor(() => expect(lines()).toHaveLength(7));
  expect(lines()).toMatchObject([
    { target: '/', status: 200, result: 'hit', durationMs: 0, bytes: prerendered('home').length },
    { target: '/p', status: 200, result: 'miss', bytes: 26 },
    { target: '/p', status: 200, result: 'hit', bytes: 26 },
    { target: '/boom', status: 500, result: 'bypass' },
    { target: '/null', status: 404, cacheStatus: 'ng-ssr; detail=NG_SSR_NOT_FOUND' },
    { target: '/%ff', status: 400 },
    { target: '/route', status: 500 },
  ]);
  for (const { method, timeMs, headers } of lines()) {
    expect([method, headers]).toEqual(['GET', {}]);
    expect(timeMs).toBeGreaterThanOrEqual(beforeMs);
  }
});

it('keeps the request headers that it is asked to', async () => {
  const { server, lines } = logged({}, ['User-Agent', 'referer']);
  server.handler.answer(plainExchange('/', { 'user-agent': 'curl/8', cookie: 'session=1' }));
  await server.handler.close();
  expect(lines()).toMatchObject([{ headers: { 'User-Agent': 'curl/8' } }]);
  expect(JSON.stringify(lines())).not.toContain('session');
});

it('HEAD and 304 have no bytes', async () => {
  const { server, lines } = logged();
  const answer = server.handler.answer(plainExchange('/'))!;
  const etag = answer.headers[answer.headers.indexOf('ETag') + 1]!;
  server.handler.answer(plainExchange('/', { 'if-none-match': etag }));
  server.handler.answer(plainExchange('/', {}, 'HEAD'));
  await server.handler.close();
  expect(lines().map(({ status, bytes }) => [status, bytes > 0])).toEqual([
    [200, true],
    [304, false],
    [200, false],
  ]);
});

it('prewarm requests are not logged', async () => {
  const prewarm = { paths: ['/', '/p'], origin: 'http://localhost', blocksReady: true };
  const batches: (readonly RequestLogEntry[])[] = [];
  const { server } = logged({
    features: [
      withPrewarm(prewarm),
      withRequestLog({ write: (requests) => void batches.push(requests) }),
    ],
  });
  await server.handler.ready();
  await ask(server, '/p');
  await server.handler.close();
  expect(batches.flat()).toMatchObject([{ target: '/p', result: 'hit' }]);
});

it('nothing is lost at the end, which waits for what is being written', async () => {
  let isWritten = false;
  let finish = (): void => undefined;
  const write = async (): Promise<void> => {
    await new Promise<void>((resolve) => (finish = resolve));
    isWritten = true;
  };
  const onClose = vi.fn(() => expect(isWritten).toBe(true));
  const { server } = logged({ features: [withRequestLog({ write })], onClose });
  await ask(server, '/');
  const closed = server.handler.close();
  await vi.waitFor(() => {
    finish();
    expect(isWritten).toBe(true);
  });
  await closed;
  expect(onClose).toHaveBeenCalledTimes(1);
});

it('a process that exits has written its last batch', () => {
  const program = `
    import { withRequestLog } from '@ng-ssr/core';
    import { SsrHandler } from '@ng-ssr/core/adapter';
    const write = (requests) => requests.forEach(({ target }) => console.log(target));
    const handler = new SsrHandler({
      engine: () => null,
      allowedHosts: ['localhost'],
      features: [withRequestLog({ write })],
    });
    const header = (name) => (name === 'host' ? 'localhost' : undefined);
    const exchange = { method: 'GET', encrypted: false, status: 200, header };
    for (const target of ['/a', '/b']) handler.notFound({ ...exchange, target });
    process.exit(0);
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  expect([stdout, stderr]).toEqual(['/a\n/b\n', '']);
});

it('many requests at once are written at once', async () => {
  const { server, batches } = logged();
  for (let i = 0; i < 2500; i++) server.handler.answer(plainExchange('/'));
  expect(batches).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches.map(({ length }) => length)).toEqual([2500]);
});

it.each([
  ['throws', () => fail()],
  ['rejects', () => Promise.reject(new Error('disk full'))],
])('a writer that %s is reported, and the requests are answered', async (_how, write) => {
  const { server } = logged({ features: [withRequestLog({ write })] });
  await ask(server, '/');
  await server.handler.close();
  expect(server.errors).toMatchObject([
    { code: 'NG_SSR_LOG_FAILED', message: expect.stringContaining('1 requests were not logged') },
  ]);
});

it('a batch runs in no request’s context', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const write = () => void seen.push(context.getStore());
  const { server } = logged({ features: [withRequestLog({ write })] });
  context.run('a request', () => server.handler.answer(plainExchange('/')));
  await vi.waitFor(() => expect(seen).toEqual([undefined]));
});

it.each([
  [() => undefined, 'withRequestLog is () => undefined (function); allowed: an object'],
  [{ write: 'x' }, 'withRequestLog.write is "x" (string); allowed: a function'],
  [{ write: fail, headers: 'referer' }, 'withRequestLog.headers is "referer" (string)'],
  [{ write: fail, headers: ['a b'] }, 'withRequestLog.headers is "a b" (string)'],
  [
    { write: fail, format: 'tiny' },
    'there is no option withRequestLog.format: the options are write, headers',
  ],
])('%j is refused', (log, message) => {
  expect(() => logged({ features: [withRequestLog(log as never)] })).toThrow(message);
});

function fail(): never {
  throw new Error('disk full');
}
