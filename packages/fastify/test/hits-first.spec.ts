import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFastifySsrServer, type FastifySsrServer } from '@ng-ssr/fastify/server';
import type { FastifyServerOptions } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createSite } from './site.ts';

/** How many of two hits reach Fastify, which gives each of its requests an id. */
async function hitsThatReach(
  add: (app: FastifySsrServer['app']) => unknown,
  fastify: FastifyServerOptions = {},
): Promise<number> {
  let ids = 0;
  const genReqId = (): string => String(++ids);
  const ssr = createFastifySsrServer({ ...createSite(), fastify: { ...fastify, genReqId } });
  onTestFinished(() => ssr.close());
  add(ssr.app);
  const { url } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  for (let hit = 0; hit < 2; hit++) {
    const { headers } = await fetch(`${url}held`);
    expect(headers.get('cache-status')).toBe('ng-ssr; hit');
  }
  const reached = ids;
  expect(await (await fetch(`${url}x`)).text()).toBe(`rendered ${url}x`);
  expect(ids).toBe(reached + 1);
  return reached;
}

test('without hooks a hit does not reach Fastify', async () => {
  expect(await hitsThatReach(() => undefined)).toBe(0);
});

test('nor with hooks that no request runs, and routes', async () => {
  const reached = await hitsThatReach((app) =>
    app
      .addHook('onReady', async () => undefined)
      .addHook('onListen', async () => undefined)
      .addHook('preClose', async () => undefined)
      .addHook('onClose', async () => undefined)
      .get('/api', () => 'api'),
  );
  expect(reached).toBe(0);
});

test.each(['onRequest', 'preParsing', 'onSend', 'onResponse', 'onRoute'] as const)(
  'all hits reach it with a hook %s',
  async (name) => {
    const hook = (...given: unknown[]): void => {
      const done = given.find((each) => typeof each === 'function');
      done?.();
    };
    expect(await hitsThatReach((app) => app.addHook(name as 'onRequest', hook))).toBe(2);
  },
);

test('all hits reach it with a hook of a plugin, which is loaded later', async () => {
  const plugin = Object.assign(
    async (app: FastifySsrServer['app']) => void app.addHook('onRequest', async () => undefined),
    // As fastify-plugin does: the hook is for all routes.
    { [Symbol.for('skip-override')]: true },
  );
  expect(await hitsThatReach((app) => app.register(plugin))).toBe(2);
});

test('all hits reach it with a log of its requests', async () => {
  const lines: string[] = [];
  const logger = { stream: { write: (line: string) => void lines.push(line) } };
  expect(await hitsThatReach(() => undefined, { logger })).toBe(2);
  expect(lines.filter((line) => line.includes('request completed'))).toHaveLength(3);
});

test('all hits reach it with a log of its own and no other', async () => {
  const lines: unknown[] = [];
  const log = (...given: unknown[]): void => void lines.push(given.at(-1));
  const levels = { info: log, error: log, debug: log, fatal: log, warn: log, trace: log };
  const loggerInstance = { ...levels, level: 'info', silent: log, child: () => loggerInstance };
  expect(await hitsThatReach(() => undefined, { logger: false, loggerInstance })).toBe(2);
  expect(lines.filter((line) => line === 'request completed')).toHaveLength(3);
});

test('a hit has the target of rewriteUrl, also without a log', async () => {
  const rewriteUrl = ({ url }: { url?: string | undefined }): string =>
    url === '/' ? '/held' : url!;
  const ssr = createFastifySsrServer({ ...createSite(), fastify: { logger: false, rewriteUrl } });
  onTestFinished(() => ssr.close());
  const { url } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  expect(await (await fetch(url)).text()).toContain('held');
});

const onRequest = (_request: unknown, _reply: unknown, done: () => void): void => done();

test.each([{ onRequest }, { onSend: async () => undefined }])(
  'all hits reach it with a route for GET with %o',
  async (options) => {
    expect(await hitsThatReach((app) => app.get('/held', options, () => 'route'))).toBe(2);
  },
);

test('all hits reach it with a route for HEAD with hooks', async () => {
  expect(await hitsThatReach((app) => app.head('/held', { onRequest }, () => ''))).toBe(2);
});

test('but not with such a route for POST, or a schema', async () => {
  const schema = { querystring: { type: 'object' }, response: { 200: { type: 'string' } } };
  const reached = await hitsThatReach((app) =>
    app.post('/held', { onRequest }, () => 'route').get('/api', { schema }, () => 'api'),
  );
  expect(reached).toBe(0);
});

test('all hits reach it if tracing gets the app when it is created', async () => {
  const created = channel('fastify.initialization');
  const add = (message: unknown): void =>
    void (message as { fastify: FastifySsrServer['app'] }).fastify.addHook('onRequest', onRequest);
  created.subscribe(add);
  onTestFinished(() => void created.unsubscribe(add));
  expect(await hitsThatReach(() => undefined)).toBe(2);
});

test('an app that is closed refuses hits, as every request', async () => {
  const { app, reqHandler, ready } = createFastifySsrServer(createSite());
  await ready();
  const server = createServer(reqHandler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/held`)).status).toBe(200);
  await app.close();
  expect((await fetch(`http://127.0.0.1:${port}/held`)).status).toBe(503);
});
