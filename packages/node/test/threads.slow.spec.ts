import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { InspectorState } from '@ng-ssr/core';
import { createNodeSsrServer, withServerThreads } from '@ng-ssr/node/server';
import { availableDictionaryEncodings } from '../../core/src/http/encode-with-dictionary.ts';
import {
  Connection,
  connectToThreads,
  type RunningProgram,
  startProgram,
  toPage,
} from './threads/running-program.ts';
import { threadsMissing } from './threads/threads-missing.ts';

describe('withServerThreads()', () => {
  beforeEach((context) => context.skip(threadsMissing !== undefined, threadsMissing));

  let end: () => Promise<void> = async () => {};
  let shared: Promise<RunningProgram> | undefined;
  afterAll(() => end());
  /** The program of the tests that leave it as it was: three threads take a second to start. */
  const useProgram = (): Promise<RunningProgram> =>
    (shared ??= startProgram({ threads: 3 }, (given) => (end = given)));

  test('1,000 parallel requests for a page cause one render, and all threads answer', async () => {
    const { port } = await useProgram();
    const before = (await new Connection(port).page('/renders')).number;
    const connections = Array.from({ length: 1000 }, () => new Connection(port));
    const got = await Promise.all(connections.map((each) => each.get('/stored/cold?ms=500')));
    connections.forEach((each) => each.close());
    expect(new Set(got.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(got.map(({ thread }) => thread)).size).toBe(3);
    expect(new Set(got.map((each) => toPage(each).number)).size).toBe(1);
    expect((await new Connection(port).page('/renders')).number).toBe(before + 1);
  });

  test('pages are rendered on the main thread, with the context of the request', async () => {
    const { port } = await useProgram();
    const [, other] = await connectToThreads(port, 3);
    const { threadId, context } = await other!.page('/context');
    expect({ threadId, context }).toEqual({
      threadId: 0,
      context: { thread: other!.thread, run: 'plain' },
    });
  });

  test('render threads render for all', async () => {
    const { port } = await startProgram({ renderThreads: 1 });
    for (const each of await connectToThreads(port, 2)) {
      expect((await each.page('/page')).threadId).toBeGreaterThan(0);
    }
  });

  test('HEAD of a page that is not stored has the headers of GET, in each thread', async () => {
    const { port } = await useProgram();
    for (const each of await connectToThreads(port, 3)) {
      const path = `/stored/head-${each.thread}`;
      const { status, headers, text } = await each.ask('HEAD', path);
      const { headers: whole } = await each.get(path);
      expect([status, headers['etag'], text]).toEqual([200, whole['etag'], '']);
    }
  });

  test('a context that cannot be cloned is an error with a code', async () => {
    const { port } = await useProgram();
    const [, other] = await connectToThreads(port, 3);
    expect((await other!.get('/context/function')).status).toBe(500);
    const errors = JSON.parse((await other!.get('/api/errors')).text) as string[];
    expect(errors).toEqual([
      expect.stringMatching(/^NG_SSR_CONTEXT_NOT_CLONEABLE .*withServerThreads/),
    ]);
  });

  test('a hit in a thread needs nothing of the main thread', async () => {
    const { port, unblock } = await startProgram();
    const [main, other] = await connectToThreads(port, 2);
    const stored = await other!.page('/stored/page');
    const path = '/stored/stale?cc=s-maxage=600,stale-while-revalidate=600';
    const stale = await other!.page(path);
    await other!.purge({ path: '/stored/stale' });
    await main!.ask('POST', '/api/block');
    for (const each of ['/', '/styles.css', '/large.txt', '/readyz']) {
      expect((await other!.get(each)).status).toBe(200);
    }
    for (let round = 0; round < 2; round++) {
      expect(await other!.page('/stored/page')).toEqual(stored);
      expect(await other!.page(path)).toEqual(stale);
    }
    unblock();
    await expect.poll(async () => (await other!.page(path)).number).toBe(stale.number + 1);
  });

  test('the inspector shows the threads, and counts the requests of all', async () => {
    const { port } = await useProgram();
    const connections = await connectToThreads(port, 3);
    const bearer = { authorization: 'Bearer a-token-of-this-test' };
    const stateBy = async (connection: Connection): Promise<InspectorState> =>
      JSON.parse((await connection.get('/inspector/state', bearer)).text) as InspectorState;
    const hitsBy = async (connection: Connection): Promise<number> =>
      (await stateBy(connection)).requests.hit;
    // Those that connecting took are counted within a second.
    for (const each of connections) await each.page('/stored/inspected');
    const before = await stateBy(connections[0]!);
    for (const each of connections) {
      for (let hit = 0; hit < 5; hit++) await each.page('/stored/inspected');
    }
    for (const each of connections) {
      await expect.poll(() => hitsBy(each)).toBeGreaterThanOrEqual(before.requests.hit + 15);
      const { pid, threads, pages } = await stateBy(each);
      expect([pid, pages.count]).toEqual([before.pid, before.pages.count]);
      expect(threads.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
        'server ready',
        'server ready',
      ]);
    }
    const other = connections.at(-1)!;
    const { number } = await other.page('/stored/inspected');
    const purge = JSON.stringify({ path: '/stored/inspected', hard: true });
    expect((await other.ask('POST', '/inspector/purge', bearer, purge)).status).toBe(200);
    expect((await other.page('/stored/inspected')).number).toBe(number + 1);
  });

  test('files have their encodings in all threads', async () => {
    const { port } = await useProgram();
    for (const each of await connectToThreads(port, 3)) {
      const accept = { 'accept-encoding': 'br' };
      for (const path of ['/', '/styles.css', '/large.txt']) {
        await expect
          .poll(async () => (await each.get(path, accept)).headers['content-encoding'])
          .toBe('br');
      }
    }
  });

  test('hits of all threads count: the second one has the page encoded', async () => {
    const { port } = await useProgram();
    const [main, second, third] = await connectToThreads(port, 3);
    await main!.page('/stored/encoded');
    await second!.page('/stored/encoded');
    await third!.page('/stored/encoded');
    for (const each of [main, second, third]) {
      await expect
        .poll(
          async () =>
            (await each!.get('/stored/encoded', { 'accept-encoding': 'gzip' })).headers[
              'content-encoding'
            ],
        )
        .toBe('gzip');
    }
  });

  test('a purge in any thread is complete for all when it is answered', async () => {
    const { port } = await useProgram();
    const threads = await connectToThreads(port, 3);
    for (const purging of threads) {
      const earlier = await purging.page('/stored/purged');
      for (const each of threads) expect(await each.page('/stored/purged')).toEqual(earlier);
      expect((await purging.purge({ path: '/stored/purged', hard: true })).status).toBe(200);
      const later = await Promise.all(threads.map((each) => each.page('/stored/purged')));
      for (const { number } of later) expect(number).toBe(earlier.number + 1);
    }
  });

  test('a refresh in any thread is complete for all when it has resolved', async () => {
    const { port } = await useProgram();
    const threads = await connectToThreads(port, 3);
    for (const refreshing of threads) {
      const earlier = await refreshing.page('/stored/refreshed');
      for (const each of threads) await each.page('/stored/refreshed');
      const { text } = await refreshing.ask('POST', '/api/refresh');
      expect(JSON.parse(text)).toMatchObject({ refreshed: 1 });
      // The messages of the page may be read after those of the connection.
      await refreshing.get('/api/pages');
      const later = await refreshing.page('/stored/refreshed');
      expect(later.number).toBeGreaterThan(earlier.number);
    }
  });

  test('all threads say of files that they are dictionaries', async (context) => {
    context.skip(availableDictionaryEncodings().length === 0, 'no dictionaries here');
    const { port } = await startProgram({ dictionaries: true });
    for (const each of await connectToThreads(port, 2)) {
      const { status, headers } = await each.get('/main-ABCDEFGH.js');
      expect([status, headers['use-as-dictionary']]).toEqual([
        200,
        'match="main-*.js", match-dest=("script")',
      ]);
      expect(headers['vary']).toBe('Accept-Encoding, Available-Dictionary');
    }
  });

  test('the main thread alone has the store, and a purge in any thread reaches it', async () => {
    const { port } = await startProgram({ hasStore: true });
    const [main, other] = await connectToThreads(port, 2);
    for (const each of [main, other]) {
      await each!.page('/stored/shared');
      const { status, text } = await each!.purge({ path: '/stored/shared', hard: true });
      expect([status, JSON.parse(text)]).toEqual([
        200,
        { purged: { path: '/stored/shared', hard: true }, here: 1, elsewhere: ['store'] },
      ]);
    }
    expect(JSON.parse((await main!.get('/api/errors')).text)).toEqual(['open', 'purge', 'purge']);
    expect(JSON.parse((await other!.get('/api/errors')).text)).toEqual([]);
  });

  test('a POST to a page in any thread removes it in all before it is answered', async () => {
    const { port } = await useProgram();
    const threads = await connectToThreads(port, 3);
    for (const posting of threads) {
      const { number } = await posting.page('/stored/changed');
      for (const each of threads) expect((await each.page('/stored/changed')).number).toBe(number);
      expect((await posting.ask('POST', '/stored/changed')).status).toBe(200);
      const later = await Promise.all(threads.map((each) => each.page('/stored/changed')));
      for (const page of later) expect(page.number).toBe(number + 1);
    }
  });

  test('a stale page is answered at once in each thread, and rendered again once', async () => {
    const { port } = await useProgram();
    const threads = await connectToThreads(port, 3);
    const path = '/stored/stale?ms=300&cc=s-maxage=600,stale-while-revalidate=600';
    const { number } = await threads[1]!.page(path);
    await threads[1]!.purge({ path: '/stored/stale' });
    for (let round = 0; round < 3; round++) {
      const pages = await Promise.all(threads.map((each) => each.page(path)));
      for (const page of pages) expect(page.number).toBe(number);
    }
    for (const each of threads) {
      await expect.poll(async () => (await each.page(path)).number).toBe(number + 1);
    }
  });

  test('a render is dropped when its clients have left another thread', async () => {
    const { port, unblock } = await startProgram({ concurrency: 1 });
    const [main, other] = await connectToThreads(port, 2);
    const leaving = new Connection(port);
    while ((await leaving.get('/api/errors')).thread !== other!.thread) leaving.close();
    const slow = main!.page('/page?held');
    await other!.get('/api/pages');
    const left = leaving.get('/page?ms=1').catch((error: Error) => error.message);
    // Asked after the request that is about to leave, and so answered after the main thread has it.
    await other!.get('/api/pages');
    leaving.close();
    expect(await left).toBe('socket hang up');
    await other!.get('/api/pages');
    unblock();
    await slow;
    expect((await other!.page('/renders')).number).toBe(1);
  });

  test('early hints of a render reach the client of another thread', async () => {
    const { port } = await startProgram({ earlyHints: true });
    for (const each of await connectToThreads(port, 2)) {
      const { status, hints } = await each.get(`/page/${each.thread}`, {
        'sec-fetch-mode': 'navigate',
      });
      expect(status).toBe(200);
      expect(hints).toEqual([expect.stringContaining('styles.css')]);
    }
  });

  test('metrics have the sums of all threads, in each', async () => {
    const { port } = await startProgram({ threads: 3 });
    const threads = await connectToThreads(port, 3);
    await threads[0]!.page('/stored/page');
    for (const each of threads) {
      await expect
        .poll(async () => (await each.get('/stored/page')).headers['cache-status'])
        .toMatch(/hit/);
      await each.get('/');
    }
    for (const each of threads) {
      const { text } = await each.get('/api/metrics');
      const hits = /^ng_ssr_requests_total\{result="hit",status="200"\} (\d+)$/m.exec(text)![1];
      expect(Number(hits)).toBeGreaterThanOrEqual(6);
      expect(text).toMatch(/^ng_ssr_render_duration_seconds_count\{outcome="200"\} 1$/m);
      expect(text).toMatch(/^ng_ssr_stores_total\{outcome="stored"\} 1$/m);
    }
  });

  test('a thread that crashes is replaced, and the others lose nothing', async () => {
    const { port } = await startProgram({ threads: 3 });
    const [main, second, third] = await connectToThreads(port, 3);
    let isRunning = true;
    const load = [main!, third!].map(async (each) => {
      while (isRunning) {
        expect((await each.get('/stored/page')).status).toBe(200);
        expect((await each.get('/page?ms=5')).status).toBe(200);
      }
    });
    await expect(second!.ask('POST', '/api/crash')).rejects.toThrow();
    await expect
      .poll(async () => JSON.parse((await main!.get('/api/errors')).text) as string[])
      .toEqual([expect.stringMatching(/^NG_SSR_THREAD_LOST .*a crash of the test/)]);
    const lost = second!.thread;
    const again = await connectToThreads(port, 3);
    expect(again.map(({ thread }) => thread)).not.toContain(lost);
    for (const each of again) {
      expect((await each.page('/stored/page')).number).toBeGreaterThan(0);
      expect((await each.purge({ path: '/stored/page' })).status).toBe(200);
    }
    isRunning = false;
    await Promise.all(load);
  });

  test('a thread that ends before it has counted its purge hides no purge of another', async () => {
    const { port, unblock } = await startProgram({ threads: 3 });
    const [main, ending, other] = await connectToThreads(port, 3);
    const { number } = await other!.page('/stored/page');
    await expect(ending!.ask('POST', '/api/lose-purge')).rejects.toThrow();
    await expect
      .poll(async () => JSON.parse((await main!.get('/api/errors')).text) as string[])
      .toEqual([expect.stringMatching(/^NG_SSR_THREAD_LOST /)]);
    expect((await other!.page('/stored/page')).number).toBe(number);
    await main!.ask('POST', '/api/block');
    // Removes the page. The main thread passes that on when it runs again.
    expect((await other!.ask('POST', '/stored/page')).status).toBe(200);
    const page = other!.page('/stored/page');
    unblock();
    expect((await page).number).toBe(number + 1);
  });

  test('close() in a thread shuts the whole server down', async () => {
    const { port, exited } = await startProgram();
    const [, other] = await connectToThreads(port, 2);
    expect((await other!.ask('POST', '/api/close')).status).toBe(200);
    expect(await exited).toBe(0);
  });

  test('a port that is taken is EADDRINUSE, also by a server with threads', async () => {
    const { port } = await startProgram();
    const { said, exited } = await startProgram({ port });
    expect(said).toMatch(/^EADDRINUSE /);
    expect(await exited).toBe(3);
  });

  test('in a worker of node:cluster a number is refused, and auto is one thread', async () => {
    const { said } = await startProgram({ isForked: true, threads: 2 });
    expect(said).toMatch(/^NG_SSR_THREADS_UNAVAILABLE .*node:cluster/);
    const { port } = await startProgram({ isForked: true, threads: 'auto' });
    const errors = JSON.parse((await new Connection(port).get('/api/errors')).text) as string[];
    // With one core there is nothing to refuse.
    for (const error of errors) expect(error).toMatch(/^NG_SSR_THREADS_UNAVAILABLE/);
    expect(errors).toHaveLength(availableParallelism() > 1 ? 1 : 0);
  });

  test('a program may wait for ready() and purges before it listens', async () => {
    const { port } = await startProgram({ isReadyFirst: true });
    const [, other] = await connectToThreads(port, 2);
    expect((await other!.get('/styles.css')).status).toBe(200);
  });

  test('a program that does not listen in its threads is an error of listen', async () => {
    const { said } = await startProgram({ inThreads: 'end' });
    expect(said).toMatch(/^NG_SSR_THREAD_NOT_STARTED .*exited with 0/);
  });

  test('a program that fails in its threads is an error of listen', async () => {
    const { said } = await startProgram({ inThreads: 'fail' });
    expect(said).toMatch(/^NG_SSR_THREAD_NOT_STARTED .*a failure of the test/);
  });
});

describe('the option threads', () => {
  test.each([0, -1, 1.5, Number.NaN, '2', null, true])('%s is refused', (threads) => {
    const create = () => toServer(threads as number);
    expect(create).toThrow(/^withServerThreads\.threads is .*; allowed: a whole number from 1 to /);
  });

  test('1 is no thread more', async () => {
    const server = toServer(1);
    const { port } = await server.listen({ port: 0, announce: false });
    expect((await new Connection(port).get('/readyz')).status).toBe(200);
    await server.close();
  });

  test("a server of one's own is refused, with the alternative", async () => {
    const server = toServer(2);
    const own = createServer();
    const listening = server.listen({ port: 0, server: own });
    await expect(listening).rejects.toMatchObject({
      code: 'NG_SSR_THREADS_UNAVAILABLE',
      message: expect.stringContaining('node:cluster') as string,
    });
  });
});

function toServer(threads: number) {
  return createNodeSsrServer({
    engine: () => null,
    features: [withServerThreads({ threads })],
    allowedHosts: ['127.0.0.1'],
    probes: { ready: '/readyz' },
  });
}
