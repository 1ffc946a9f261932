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
