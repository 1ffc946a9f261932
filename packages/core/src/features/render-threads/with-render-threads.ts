import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import type { RenderThreadsParts } from '../../render/render-threads.ts';
import { answerRenders } from './answer-renders.ts';
import { type RenderThreadsOptions, resolveRenderThreads } from './render-threads-options.ts';
import { WorkerPool } from './worker-pool.ts';

/** The bounds of render threads, for `ng-ssr doctor`. */
export interface RenderThreadsSettings {
  /** The most. */
  readonly threads: number;
  /** Of each. */
  readonly maxHeapBytes: number;
}

/**
 * Renders pages in threads, so that renders do not delay other responses. Each thread runs the program, without
 * listening. Without this feature, pages render on the main thread.
 *
 * @example
 * ```ts
 * features: [withRenderThreads()]
 * ```
 */
export function withRenderThreads(options: RenderThreadsOptions = {}): Feature {
  const base = { name: 'render-threads', isForClients: true, isForNode: true, answerRenders };
  return perServer(base, () => {
    const resolved = resolveRenderThreads(options);
    const { maxHeapBytes, threads } = resolved;
    const settings: RenderThreadsSettings = { threads: threads.max, maxHeapBytes };
    const install = (): OwnExtension => ({ describe: () => ({ settings }) });
    if (threads.max === 0) return { install };
    const open = (parts: RenderThreadsParts): WorkerPool =>
      new WorkerPool({ ...resolved, ...parts });
    return { install, renderThreads: { threads, open } };
  });
}
