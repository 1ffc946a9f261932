import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isShort } from '@ng-ssr/conformance/fuzz';
import type { SsrOptions } from '@ng-ssr/core';
import { turn } from '../pages/clock.ts';
import { html, storedServer, type StoredServer } from '../pages/stored-server.ts';

const STEP_MS = 5;
const RENDER_MS = 40;
/** Five windows of five seconds show the same as twelve: the clock is the test's own. */
const SECONDS = isShort ? 25 : 60;
const TIMES = isShort ? [1.5, 10] : [1.1, 1.5, 3, 10];

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

/** A core that its renders share: two at a time take twice as long. */
class Core {
  readonly renderMs: number;
  readonly #renders = new Map<() => void, number>();

  constructor(renderMs: number) {
    this.renderMs = renderMs;
  }

  render(): Promise<Response> {
    return new Promise((resolve) =>
      this.#renders.set(() => resolve(html('page', { 'cache-control': 'private' })), this.renderMs),
    );
  }

  work(ms: number): void {
    for (let leftMs = ms; this.#renders.size > 0 && leftMs > 0;) {
      const least = Math.min(...this.#renders.values());
      const shareMs = Math.min(least, leftMs / this.#renders.size);
      leftMs -= shareMs * this.#renders.size;
      for (const [end, workMs] of this.#renders) {
        if (workMs - shareMs > 1e-6) this.#renders.set(end, workMs - shareMs);
        else if (this.#renders.delete(end)) end();
      }
    }
  }
}

async function step(core: Core): Promise<void> {
  await vi.advanceTimersByTimeAsync(STEP_MS);
  core.work(STEP_MS);
  // Connections have their turns before each render.
  for (let turns = 0; turns < 8; turns++) await turn();
}

/** Pages in time for each five seconds, when `perSecond` requests come from new clients each second. */
async function goodput(server: StoredServer, core: Core, perSecond: number): Promise<number[]> {
  const pages = Array.from({ length: SECONDS / 5 }, () => 0);
  const startMs = Date.now();
  let sent = 0;
  for (let ms = 0; ms < SECONDS * 1000; ms += STEP_MS) {
    for (; sent < (ms / 1000) * perSecond; sent++) {
      void server.get(`/private/${sent}`).then(({ status, text }) => {
        if (status === 200 && text.includes('page'))
          pages[Math.floor((Date.now() - startMs) / 5000)]!++;
      });
    }
    await step(core);
  }
  return pages;
}

const SETTINGS: readonly (readonly [
  name: string,
  SsrOptions['render'],
  renderMs?: number,
  windowsToLearn?: number,
])[] = [
  ['ten seconds of patience', {}],
  ['a second of patience', { maxWaitMs: 1000 }],
  ['as many at a time as a thread has', { maxWaitMs: 1000, concurrency: 4 }],
  ['less patience than all renders at a time take', { maxWaitMs: 300 }],
  // Nothing is known of renders before the first has ended, some four seconds later.
  ['patience for eight pages of a slow machine', { maxWaitMs: 2000 }, 240, 1],
  ['a queue that holds far more than can be rendered', { maxWaitMs: 1000, maxQueued: 10_000 }],
];
for (const [name, render, renderMs = RENDER_MS, windowsToLearn = 0] of SETTINGS) {
  const capacity = 1000 / renderMs;
  it.each(TIMES)(
    `at %s times what can be rendered, pages come as fast as they can be: ${name}`,
    async (times) => {
      const core = new Core(renderMs);
      const server = storedServer(() => core.render(), { render });
      const pages = await goodput(server, core, times * capacity);
      // Those who come at the end have not waited yet.
      const judged = pages.slice(windowsToLearn, -2);
      for (const count of judged) expect(count).toBeGreaterThan(0.75 * 5 * capacity);
      const sum = judged.reduce((all, count) => all + count, 0);
      expect(sum / (judged.length * 5) / capacity).toBeGreaterThanOrEqual(0.9);
    },
  );
}
