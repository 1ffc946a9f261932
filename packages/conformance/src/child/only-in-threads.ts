import { isMainThread } from 'node:worker_threads';
import type { RenderEngine } from '@ng-ssr/core';

/**
 * An engine that fails on the main thread. Without render threads pages are rendered there, and a suite
 * about render threads must not pass then.
 *
 * @param engine - The engine for the threads.
 */
export function onlyInThreads(engine: RenderEngine): RenderEngine {
  if (!isMainThread) return engine;
  const refuse = (): never => {
    throw new Error('a page was rendered on the main thread');
  };
  return Object.assign(refuse, engine);
}
