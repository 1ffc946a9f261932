import { once } from 'node:events';
import { fieldOf, RawConnection, requestBytes } from '@ng-ssr/conformance';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { writeBuiltFolder } from '../../node/test/shutdown/built-folder.ts';
import { defineShutdownSuite } from '../../node/test/shutdown/define-shutdown-suite.ts';
import { ask } from '../../node/test/shutdown/load.ts';
import { startChild } from '../../node/test/shutdown/start-child.ts';
import { bun, deno } from './runtimes/runtime.ts';

defineShutdownSuite('hono', new URL('./shutdown/hono-server.ts', import.meta.url));
defineShutdownSuite('h3', new URL('./shutdown/h3-server.ts', import.meta.url));

test('a handler answers probes by itself, in its first half and whole', async () => {
  const ssr = createFetchSsrHandler({
    engine: () => null,
    allowedHosts: ['shop.example'],
    browserFolder: writeBuiltSite({ 'browser/index.html': prerendered('home') }),
    probes: { live: '/livez', ready: '/readyz' },
  });
  const of = (path: string): Request => new Request(`http://10.0.0.7${path}`);
  const status = async (path: string): Promise<(number | undefined)[]> => {
    const answers = [ssr.probe(of(path)), ssr.answer(of(path)), await ssr(of(path))];
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

const runtimes = [
  ['bun', bun, './shutdown/bun-server.ts'],
  ['elysia', bun, './shutdown/elysia-server.ts'],
  ['deno', deno, './shutdown/deno-server.ts'],
] as const;

describe.each(runtimes)('shutdown %s', (_name, runtime, program) => {
  let built: ReturnType<typeof writeBuiltFolder>;
  beforeAll(() => void (built = writeBuiltFolder()));
  afterAll(() => built.remove());

  test('it is not ready, and answers what is under way', { timeout: 30_000 }, async (context) => {
    context.skip(runtime.missing !== undefined, runtime.missing);
    const settings = { browserFolder: built.folder, shutdown: { graceMs: 2000 } };
    const child = await startChild(new URL(program, import.meta.url), settings, runtime.command);
    onTestFinished(() => void child.process.kill('SIGKILL'));
    const exited = once(child.process, 'exit');
    const { port } = child;
    expect(await ask(port, false, '/readyz')).toBe(200);
    const connection = await RawConnection.open(port);
    const request = { target: '/rendered?ms=2500', headers: { host: '127.0.0.1' } };
    connection.write(requestBytes(request));
    expect(await ask(port, false, '/rendered')).toBe(200);
    child.process.kill('SIGTERM');
    await expect.poll(() => ask(port, false, '/readyz')).toBe(503);
    expect(await ask(port, false, '/livez')).toBe(200);
    const answer = await connection.read();
    expect(answer.status).toBe(200);
    expect(fieldOf(answer, 'connection')).toBe('close');
    expect(await exited).toEqual([0, null]);
  });
});
