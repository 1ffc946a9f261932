import { group, withDefault } from '../../options/option.ts';
import { threadCount } from '../../options/thread-count.ts';
import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import type { ServerThreadsParts } from '../../threads/server-threads.ts';
import { joinMain } from './join-main.ts';
import { ThreadsOfServer } from './threads-of-server.ts';

/** Options of `withServerThreads()`. */
export interface ServerThreadsOptions {
  /**
   * Number of threads, the main thread included. `'auto'` is one per core that `withRenderThreads()` does not need, and
   * one where there can be no more. Default: `'auto'`.
   */
  readonly threads?: number | 'auto' | undefined;
}

const serverThreads = group(
  { threads: withDefault(threadCount(1), 'auto') },
  'an object of options, as in { threads: 2 }',
);

/**
 * Has several threads of the process listen on one port, with one cache: on Linux or a BSD with Node 22.12. Each thread
 * runs the program. Without this feature, the main thread serves alone.
 *
 * @example
 * ```ts
 * features: [withServerThreads()]
 * ```
 */
export function withServerThreads(options: ServerThreadsOptions = {}): Feature {
  const isForNode = 'listen() of a server on Node';
  const base = { name: 'server-threads', isForClients: true, isForNode };
  return perServer(base, () => {
    const { threads } = serverThreads('withServerThreads', options);
    const open = (parts: ServerThreadsParts) => new ThreadsOfServer(parts, threads);
    return { serverThreads: { open, join: joinMain } };
  });
}
