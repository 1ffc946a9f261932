/**
 * The node adapter, whose pages make calls to an API of its own, as its argument says (JSON). The page itself costs
 * next to nothing, and is rendered for each request.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { CallRule } from '@ng-ssr/node/server';
import { createNodeSsrServer, withCalls, withRouter } from '@ng-ssr/node/server';

/** What the pages are made of. */
export interface CallingSite {
  /** Of the built browser files. */
  readonly folder: string;
  /** Calls of each page, all at a time. */
  readonly count: number;
  /** The rule of the calls; undefined for a server without `withCalls()`. */
  readonly rule?: CallRule | undefined;
  /** How long the API takes, so that calls of several pages meet. */
  readonly apiMs: number;
}

const { folder, count, rule, apiMs } = JSON.parse(process.argv[2] ?? '') as CallingSite;
const item = { id: 3, name: 'A product', text: 'word '.repeat(200) };
let origin = '';

const server = createNodeSsrServer({
  engine: async () => {
    const calls = Array.from({ length: count }, async (_, i) => {
      const response = await fetch(`${origin}api/items/${i}`);
      return ((await response.json()) as typeof item).name;
    });
    return new Response(String(await Promise.all(calls)));
  },
  allowedHosts: ['127.0.0.1'],
  files: { folder },
  features: [withRouter(), ...(rule ? [withCalls({ '/api/**': rule })] : [])],
});
server.router.on('GET', '/api/items/:id', async (_request, response) => {
  if (apiMs > 0) await wait(apiMs);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(item));
});
origin = (await server.listen({ port: 0, host: '127.0.0.1' })).url;
