import { beforeEach, describe, expect, test } from 'vitest';
import type { InspectorState } from '@ng-ssr/core';
import { connectToThreads, startProgram } from './threads/running-program.ts';
import { threadsMissing } from './threads/threads-missing.ts';

describe('server threads', () => {
  beforeEach((context) => context.skip(threadsMissing !== undefined, threadsMissing));

  test('no thread uses a page that another has purged, however busy the main thread is', async () => {
    const { port, unblock } = await startProgram({ threads: 3 });
    const [main, second, third] = await connectToThreads(port, 3);
    const [, , alsoThird] = await connectToThreads(port, 3);
    const stored = await third!.page('/stored/purged');
    expect(await third!.page('/stored/purged')).toEqual(stored);
    await main!.ask('POST', '/api/block');
    const purged = await second!.begin('POST', '/api/purge');
    const page = third!.page('/stored/purged');
    // By then the third thread has handled the request before.
    await alsoThird!.get('/styles.css');
    unblock();
    expect((await page).number).toBe(stored.number + 1);
    await purged.toArray();
  });

  test('all threads hold the files of the build once', async () => {
    const fonts = 800;
    const { port } = await startProgram({ threads: 2, fonts });
    const threads = await connectToThreads(port, 2);
    for (const thread of threads) {
      const { text } = await thread.get('/7.woff2');
      expect(text).toBe('\u0007'.repeat(64 * 1024));
    }
    const buildsHeld = async (): Promise<number> => {
      let bytes = 0;
      for (const thread of threads) bytes += Number((await thread.get('/api/memory')).text);
      return bytes / (fonts * 64 * 1024);
    };
    await expect.poll(buildsHeld, { timeout: 10_000 }).toBeLessThan(1.5);
    expect(await buildsHeld()).toBeGreaterThan(0.99);
  });

  test('nothing is rendered for clients of a lost thread', async () => {
    const { port, unblock } = await startProgram({ threads: 2, concurrency: 1 });
    const [main, other] = await connectToThreads(port, 2);
    const [alsoMain, alsoOther] = await connectToThreads(port, 2);
    const bearer = { authorization: 'Bearer a-token-of-this-test' };
    const queued = async (): Promise<number> => {
      const { text } = await alsoMain!.get('/inspector/state', bearer);
      return (JSON.parse(text) as InspectorState).renders.queued;
    };
    const held = main!.page('/held?held');
    const cut = expect(other!.page('/waiting')).rejects.toThrow();
    await expect.poll(queued).toBe(1);
    await expect(alsoOther!.ask('POST', '/api/crash')).rejects.toThrow();
    await cut;
    await expect.poll(queued).toBe(0);
    unblock();
    const { number } = await held;
    expect((await main!.page('/renders')).number).toBe(number);
  });
});
