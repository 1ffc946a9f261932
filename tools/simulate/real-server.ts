/**
 * One of the servers of a comparison (compare.ts): the adapter for node:http, with an engine that only takes time. Its argument is
 * what {@link ServerTask} says; it tells its parent its port, and its counts when asked.
 */
import type { PageStore } from '@ng-ssr/core';
import { withSharedStore } from '@ng-ssr/core';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { redisPageStore } from '@ng-ssr/redis';
import type { Scenario } from './scenario.ts';
import { Site } from './site.ts';

/** The argument, as JSON. */
export interface ServerTask {
  readonly scenario: Scenario;
  readonly redisUrl: string;
  /** A folder with one file. */
  readonly folder: string;
}

/** A message to the parent. */
export type ServerMessage =
  | { readonly port: number }
  | { readonly renders: number; readonly fromStore: number }
  | { readonly purged: true };

/** A message of the parent. */
export type ServerCommand = { readonly purge: string } | 'count' | 'close';

/** A busy machine is no outage. */
const TIMEOUT_MS = 5000;

const { scenario, redisUrl, folder } = JSON.parse(process.argv[2]!) as ServerTask;
const site = new Site(scenario);
const counts = { renders: 0, fromStore: 0 };

const server = createNodeSsrServer({
  engine: async ({ url }) => {
    const dataMs = Math.floor(performance.now());
    counts.renders++;
    const page = site.pageIn(url);
    await new Promise((resolve) => setTimeout(resolve, scenario.renderMs));
    const list = site.headersOf(page, dataMs);
    const headers = new Headers();
    for (let at = 0; at < list.length; at += 2) headers.append(list[at]!, list[at + 1]!);
    return new Response(site.bodyOf(page), { headers });
  },
  files: { folder, encodings: [] },
  allowedHosts: [site.host],
  cache: { maxBytes: scenario.memoryMib * 1024 * 1024, encodings: [] },
  routeRules: { '/p/**': { sMaxAge: scenario.sMaxAge, staleWhileRevalidate: scenario.swr } },
  features: [
    withSharedStore(counted(redisPageStore({ url: redisUrl, timeoutMs: TIMEOUT_MS })), {
      buildId: 'build-1',
    }),
  ],
  onError: (error) => console.error(error),
});
const { port } = await server.listen({ port: 0, announce: false });
await server.ready();
process.on('message', (command: ServerCommand) => void follow(command));
tell({ port });

async function follow(command: ServerCommand): Promise<void> {
  if (command === 'count') return tell({ ...counts });
  if (command === 'close') {
    await server.close();
    return process.disconnect();
  }
  await server.cache.purge({ tag: command.purge, hard: true });
  tell({ purged: true });
}

function tell(message: ServerMessage): void {
  process.send!(message);
}

/** Counts pages that come from the store. */
function counted(store: PageStore): PageStore {
  const get = store.get.bind(store);
  store.get = async (key) => {
    const found = await get(key);
    if (found !== undefined && 'body' in found.entry) counts.fromStore++;
    return found;
  };
  return store;
}
