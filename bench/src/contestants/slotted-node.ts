/** The node adapter on a generated site, whose cached page may have slots, as its argument says (JSON). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';

/** What the server is made of. */
export interface SlottedSite {
  /** Of the built browser files. */
  readonly folder: string;
  /** Whether requests with a cookie have a slot. */
  readonly hasSlots: boolean;
  /** How long the slot of pages below `/late` takes. */
  readonly lateMs: number;
}

const { folder, hasSlots, lateMs } = JSON.parse(process.argv[2] ?? '') as SlottedSite;
const page = readFileSync(join(folder, 'index.html'));
const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 's-maxage=3600' };
const cart = { count: 3, items: ['mug', 'bowl', 'plate'] };

const server = createNodeSsrServer({
  engine: () => new Response(page, { headers }),
  allowedHosts: ['127.0.0.1'],
  files: { folder },
  features: hasSlots
    ? [
        withSlots({
          cart: { routes: ['/stored'], fill: () => cart },
          session: {
            routes: ['/conditional'],
            when: ({ headers }) => /(?:^|; )session=/.test(headers.get('cookie') ?? ''),
            fill: () => cart,
          },
          soon: { routes: ['/soon'], fill: () => wait(0, cart) },
          late: { routes: ['/late'], fill: () => wait(lateMs, cart) },
        }),
      ]
    : [],
});
await server.ready();
await server.listen({ port: 0, host: '127.0.0.1' });
