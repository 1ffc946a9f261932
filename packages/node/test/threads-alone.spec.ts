import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createExpressSsrServer, ssrMiddleware as ofExpress } from '@ng-ssr/express/server';
import { createFastifySsrServer, ssrPlugin } from '@ng-ssr/fastify/server';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { createKoaSsrServer, ssrMiddleware as ofKoa } from '@ng-ssr/koa/server';
import { createNodeSsrServer, ssrMiddleware, withServerThreads } from '@ng-ssr/node/server';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProgram } from './threads/running-program.ts';
import { threadsMissing } from './threads/threads-missing.ts';

const options = {
  engine: () => null,
  allowedHosts: ['127.0.0.1'],
  features: [withServerThreads({ threads: 2 })],
};

describe('what has no listen refuses server threads', () => {
  test.each<[string, () => unknown]>([
    ['a middleware of node:http', () => ssrMiddleware(options)],
    ['a middleware of Koa', () => ofKoa(options)],
    ['a middleware of Express', () => ofExpress(options)],
    ['a plugin of Fastify', () => Fastify().register(ssrPlugin, options).ready()],
    ['a handler of requests', () => createFetchSsrHandler(options)],
  ])('%s', async (_name, create) => {
    await expect((async () => create())()).rejects.toMatchObject({
      code: 'NG_SSR_THREADS_UNAVAILABLE',
      message: expect.stringContaining('only listen() of a server starts threads') as string,
    });
  });
});

test.each<[string, { listen(options: object): Promise<unknown> }]>([
  ['node', createNodeSsrServer(options)],
  ['koa', createKoaSsrServer(options)],
  ['express', createExpressSsrServer(options)],
  ['fastify', createFastifySsrServer(options)],
])(
  'the former option of listen is refused by %s, with the line to write',
  async (_name, server) => {
    await expect(server.listen({ port: 0, threads: 2 })).rejects.toMatchObject({
      code: 'NG_SSR_OPTION_UNKNOWN',
      message: expect.stringContaining(
        'write features: [withServerThreads({ threads: 2 })]',
      ) as string,
    });
  },
);

test.skipIf(threadsMissing !== undefined)(
  'a program without the feature in its threads is an error of listen',
  async () => {
    const { said } = await startProgram({ inThreads: 'no feature' });
    expect(said).toMatch(
      /^NG_SSR_THREAD_NOT_STARTED .*withServerThreads\(\) is missing in the features of this server thread/,
    );
  },
);

test.skipIf(threadsMissing !== undefined)(
  'the other servers of a program do not listen in the threads of one',
  async () => {
    const program = fileURLToPath(new URL('threads/two-servers.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: object[] = [];
    for await (const line of createInterface(child.stdout!)) {
      if (said.push(JSON.parse(line) as object) === 2) break;
    }
    const [inThread, { own, port }] = said as [object, { own: number; port: number }];
    expect(inThread).toEqual({ listens: false });
    const threads = new Set<string | null>();
    for (let count = 0; count < 200 && threads.size < 2; count++) {
      const { headers } = await fetch(`http://127.0.0.1:${port}/`, {
        headers: { connection: 'close' },
      });
      threads.add(headers.get('x-thread'));
    }
    expect(threads.size).toBe(2);
    expect(await (await fetch(`http://127.0.0.1:${own}/`)).text()).toBe('0');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
