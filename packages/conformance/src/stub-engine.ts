import type { EngineSetup, RenderEngine } from '@ng-ssr/core';
import { callingStubPage } from './calling-stub-pages.ts';
import type { SeenRequest } from './seen-request.ts';
import { storedStubPage } from './stored-stub-pages.ts';
import { configuredPage, stubPages, type StubPage } from './stub-pages.ts';

/** A render of `/slow`, or below `/stored/slow`, that waits until the case releases it. */
export interface HeldRender {
  /** The signal of the engine's request. */
  readonly signal: AbortSignal;
  /** Lets the render finish. */
  release(): void;
}

/** An engine without Angular: it counts its renders and records its requests. */
export interface StubEngine extends RenderEngine {
  /** The server's set-up calls, one entry each. */
  readonly setups: readonly EngineSetup[];
  /** Every request since the last {@link StubEngine.reset}, in order. */
  readonly seen: readonly SeenRequest[];
  /**
   * How often a path was rendered since the last {@link StubEngine.reset}.
   *
   * @param path - The path, or nothing for all.
   */
  renders(path?: string): number;
  /** The next {@link HeldRender} that no case has taken yet; waits for it if necessary. */
  held(): Promise<HeldRender>;
  /** Clears the records and releases every waiting render. */
  reset(): void;
}

/** A host that the stub's build allows, as `security.allowedHosts` in angular.json does. */
export const BUILT_HOST = 'built.example';

/**
 * An engine with one path for each way a render can end: see {@link stubPages}, and
 * {@link storedStubPage} for pages that declare how they may be stored. Every other path is a page of its
 * own with status 404.
 */
export function createStubEngine(): StubEngine {
  const setups: EngineSetup[] = [];
  const seen: SeenRequest[] = [];
  /** By URL, since the engine was created: a stored page outlives a reset. */
  const counts = new Map<string, number>();
  const waiting: HeldRender[] = [];
  const takers: ((render: HeldRender) => void)[] = [];
  const open = new Set<HeldRender>();

  function hold(request: Request): Promise<void> {
    return new Promise((resolve) => {
      const render: HeldRender = {
        signal: request.signal,
        release() {
          open.delete(render);
          resolve();
        },
      };
      open.add(render);
      const taker = takers.shift();
      if (taker) taker(render);
      else waiting.push(render);
    });
  }

  const render = (request: Request): Response | null | Promise<Response | null> => {
    const path = new URL(request.url).pathname;
    const headers = Object.fromEntries(request.headers);
    const sight: SeenRequest = { method: request.method, url: request.url, headers };
    seen.push(sight);
    const count = (counts.get(request.url) ?? 0) + 1;
    counts.set(request.url, count);
    const calling = callingStubPage(request);
    if (calling !== undefined) return calling;
    if (path === '/configured') return configuredPage(setups.at(-1)?.publicConfig);
    const page: StubPage = stubPages[path] ?? storedStubPage(path) ?? stubPages['/missing']!;
    const isHeld = path === '/slow' || path.startsWith('/stored/slow/');
    return isHeld ? hold(request).then(() => page(sight, count)) : page(sight, count);
  };
  return Object.assign(render, {
    setups,
    seen,
    setup: (setup: EngineSetup) => void setups.push(setup),
    allowedHosts: () => [BUILT_HOST],
    renders: (path?: string) =>
      seen.filter(({ url }) => path === undefined || new URL(url).pathname === path).length,
    held(): Promise<HeldRender> {
      const first = waiting.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => takers.push(resolve));
    },
    reset() {
      for (const render of [...open]) render.release();
      waiting.length = takers.length = seen.length = 0;
    },
  });
}
