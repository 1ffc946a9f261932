import { join } from 'node:path';
import type { Contestant } from '../measure/contestant.ts';
import { dist, program } from './catalogue.ts';

/** A server in so many threads, and what its row is called. */
export interface ThreadServer {
  readonly server: string;
  readonly contestant: Contestant;
}

/**
 * The node adapter in so many server threads, beside node:cluster and the least that node:http can do.
 *
 * @param publicKey - Has each request's session checked against it, in PEM, by a middleware.
 */
export function threadServers(
  counts: readonly number[],
  publicKey?: string,
): readonly ThreadServer[] {
  const checks = publicKey === undefined ? '' : ', session check';
  const of = (
    server: string,
    file: string,
    env: Readonly<Record<string, string>>,
  ): ThreadServer => {
    const { command } = program(server, file, [join(dist, 'app/browser/index.html')]);
    const key = publicKey === undefined ? {} : { PUBLIC_KEY: publicKey };
    const name = `${server}${checks}`;
    const all = { FOLDER: join(dist, 'app/browser'), ...key, ...env };
    return { server, contestant: { name, runtime: 'node', command, env: all, isPinned: false } };
  };
  const hits = publicKey === undefined ? 'before-middleware' : 'after-middleware';
  const ours = (server: string, env: Readonly<Record<string, string>>): ThreadServer =>
    of(`ng-ssr node ${server}`, 'threads-node.ts', { HITS: hits, ...env });
  const several = counts.filter((count) => count > 1);
  return [
    ...counts.map((count) => ours(`threads: ${count}`, { THREADS: String(count) })),
    ...several.map((count) => ours(`cluster of ${count}`, { CLUSTER: String(count) })),
    ...counts.map((count) =>
      of(`limit node:http threads: ${count}`, 'limit-threads.ts', { THREADS: String(count) }),
    ),
  ];
}
