import { join } from 'node:path';
import type { Contestant } from '../measure/contestant.ts';
import { dist, program } from './catalogue.ts';

/** A server with a number of threads or processes, and the name in its row. */
export interface ThreadServer {
  readonly server: string;
  /** How many of its threads, or processes, answer. */
  readonly serverThreads: number;
  readonly contestant: Contestant;
}

/**
 * The node adapter with each count of server threads, beside node:cluster and the least that node:http can do.
 *
 * @param publicKey - Has each request's session checked against it, in PEM, by a middleware.
 */
export function threadServers(
  counts: readonly number[],
  publicKey?: string,
): readonly ThreadServer[] {
  const checks = publicKey === undefined ? '' : ', session check';
  const serveHits = publicKey === undefined ? 'before-middleware' : 'after-middleware';
  const of = (
    server: string,
    file: string,
    serverThreads: number,
    by: 'THREADS' | 'CLUSTER' = 'THREADS',
  ): ThreadServer => {
    const { command } = program(server, file, [join(dist, 'app/browser/index.html')]);
    const env = {
      ...{ FOLDER: join(dist, 'app/browser'), HITS: serveHits, [by]: String(serverThreads) },
      ...(publicKey === undefined ? {} : { PUBLIC_KEY: publicKey }),
    };
    const name = `${server}${checks}`;
    return {
      ...{ server, serverThreads },
      contestant: { name, runtime: 'node', command, env, isPinned: false },
    };
  };
  const several = counts.filter((count) => count > 1);
  return [
    ...counts.map((count) => of(`ng-ssr node threads: ${count}`, 'threads-node.ts', count)),
    ...several.map((count) =>
      of(`ng-ssr node cluster of ${count}`, 'threads-node.ts', count, 'CLUSTER'),
    ),
    ...counts.map((count) => of(`limit node:http threads: ${count}`, 'limit-threads.ts', count)),
  ];
}
