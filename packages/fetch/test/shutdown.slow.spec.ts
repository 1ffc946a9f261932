import { once } from 'node:events';
import { createServer } from 'node:http';
import { createFetchSsrHandler, shutDownOnSignals } from '@ng-ssr/fetch/server';
import { H3, serve } from 'h3';
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { writeBuiltFolder } from '../../node/test/shutdown/built-folder.ts';
import { defineShutdownSuite } from '../../node/test/shutdown/define-shutdown-suite.ts';
import { drainUnderLoad } from '../../node/test/shutdown/drain-under-load.ts';
import { NO_SIGNALS } from '../../node/test/shutdown/no-signals.ts';
import { SpecialClient } from '../../node/test/shutdown/special-clients.ts';
import { type Child, startChild } from '../../node/test/shutdown/start-child.ts';
import { bun, deno } from './runtimes/runtime.ts';

defineShutdownSuite('hono', new URL('./shutdown/hono-server.ts', import.meta.url));
defineShutdownSuite('h3', new URL('./shutdown/h3-server.ts', import.meta.url));

const pipelining = "Bun's server closes a connection on which a request comes before its turn";
const onBun = { ...bun, pipelining };
defineShutdownSuite('bun', new URL('./shutdown/bun-server.ts', import.meta.url), {
  ...onBun,
  isReference: true,
});
defineShutdownSuite('elysia', new URL('./shutdown/elysia-server.ts', import.meta.url), onBun);
defineShutdownSuite('deno', new URL('./shutdown/deno-server.ts', import.meta.url), {
  ...deno,
  isReference: true,
  pipelining: 'shutdown() of Deno answers one request of each connection',
  closing: 'Deno leaves it to the client to close behind Connection: close',
  partialHeads: 'shutdown() of Deno takes them for idle connections',
  counting: 'Deno does not tell of its requests',
});

describe(`no request is lost under load (seed ${seed})`, () => {
  const nothing = /^$/;
  // Bun leaves a connection without a request to the kernel, which resets it when a busy server ends.
  const unused = 'an unused connection';
  test.for([
    // Bun's node:http cuts answers that are read slowly.
    ['hono', 'bun', bun, new RegExp(`^(a slow reader|${unused})`)],
    ['hono', 'deno', deno, nothing],
    ['h3', 'bun', bun, new RegExp(`^${unused}`)],
    // shutdown() of Deno takes requests whose head has come in part for idle connections.
    ['h3', 'deno', deno, /^a slow sender/],
  ] as const)('of %s on %s', async ([name, , { command, missing }, known], context) => {
    const reason = missing ?? NO_SIGNALS;
    context.skip(reason !== undefined, reason);
    const built = writeBuiltFolder();
    onTestFinished(() => built.remove());
    const program = new URL(`./shutdown/${name}-server.ts`, import.meta.url);
    const settings = { browserFolder: built.folder };
    const result = await drainUnderLoad(program, settings, new Random(seed), command);
    expect(result).toMatchObject({ lost: [], others: new Map() });
    expect(result.problems.filter((problem) => !known.test(problem))).toEqual([]);
    expect(result.exit).toMatchObject({ code: 0, errors: '' });
  });
});

test('a handler answers probes by itself, in its first half and whole', async () => {
  const ssr = createFetchSsrHandler({
    engine: () => null,
    allowedHosts: ['shop.example'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
    probes: { live: '/livez', ready: '/readyz' },
  });
  const of = (path: string): Request => new Request(`http://10.0.0.7${path}`);
  const status = async (path: string): Promise<(number | undefined)[]> => {
    const answers = [await ssr.probe(of(path)), ssr.answer(of(path)), await ssr(of(path))];
    return answers.map((answer) => answer?.status);
  };
  expect(await status('/livez')).toEqual([200, 200, 200]);
  expect(await status('/readyz')).toEqual([200, 200, 200]);
  expect(ssr.probe(of('/'))).toBeUndefined();
  expect(ssr.isDraining).toBe(false);
  ssr.drain();
  expect(ssr.isDraining).toBe(true);
  expect(await status('/livez')).toEqual([200, 200, 200]);
  expect(await status('/readyz')).toEqual([503, 503, 503]);
  await ssr.close();
});

/** Starts a server of `Bun.serve` for one test, which is skipped without Bun. */
async function startBunServer(context: TestContext): Promise<Child> {
  context.skip(bun.missing !== undefined, bun.missing);
  const built = writeBuiltFolder();
  onTestFinished(() => built.remove());
  const program = new URL('./shutdown/bun-server.ts', import.meta.url);
  const child = await startChild(program, { browserFolder: built.folder }, bun.command);
  onTestFinished(() => void child.process.kill('SIGKILL'));
  return child;
}

test('WebSockets do not hold up the end of a server on Bun', async (context) => {
  const child = await startBunServer(context);
  const socket = new WebSocket(`ws://127.0.0.1:${child.port}/api/socket`);
  await once(socket, 'open');
  child.process.kill('SIGTERM');
  expect(await child.exited).toMatchObject({ code: 0, errors: '' });
});

test('a client that never sends the rest of a head does not hold up the end of a server on Bun', async (context) => {
  const child = await startBunServer(context);
  const client = await SpecialClient.open(child.port);
  await client.ask('/about');
  client.send('GET /about HTTP/1.1\r\nHost: 127');
  expect((await fetch(`http://127.0.0.1:${child.port}/about`)).status).toBe(200);
  child.process.kill('SIGTERM');
  expect(await child.exited).toMatchObject({ code: 0, errors: '' });
});

describe('shutDownOnSignals refuses', () => {
  const ssr = { drain: () => undefined, close: async () => undefined };

  test('a server of srvx that closes on the same signals', async () => {
    const server = serve(new H3(), { port: 0, silent: true });
    onTestFinished(() => server.close());
    expect(() => shutDownOnSignals(server, ssr)).toThrow(
      'gracefulShutdown is missing; allowed: false, in the options of serve',
    );
    expect(shutDownOnSignals(server, ssr, false)).toBeTypeOf('function');
  });

  test.each([null, undefined, {}, { stop: () => undefined, pendingRequests: 0 }])(
    'what is no server: %j',
    (server) => {
      const before = process.listenerCount('SIGTERM');
      expect(() => shutDownOnSignals(server as never, ssr)).toThrow(/^server is .*; allowed: /);
      expect(process.listenerCount('SIGTERM')).toBe(before);
    },
  );

  test('options that listen would refuse', () => {
    const server = createServer();
    const wrong = { grace: 1 } as never;
    expect(() => shutDownOnSignals(server, ssr, wrong)).toThrow(
      'there is no option shutdown.grace',
    );
  });
});
