import { setTimeout as wait } from 'node:timers/promises';
import { appEngine, createNodeSsrServer, renderIsland, withRouter, withSlots } from '@ng-ssr/node';
import type { Visitor } from './data';
import { VisitorIsland } from './visitor-island';

const fillMs = Number(process.env['FILL_MS']);

async function readVisitor(): Promise<Visitor> {
  await wait(fillMs);
  return { name: 'Ada', count: 3, recommendations: ['Mug', 'Bowl', 'Plate', 'Jar'] };
}

/** One page, whose data of the visitor takes FILL_MS milliseconds and comes in the way that its path says. */
const server = createNodeSsrServer({
  engine: appEngine(),
  routeRules: { '/**': { sMaxAge: 3600 }, '/private': { cache: false } },
  features: [
    withRouter(),
    withSlots({
      visitor: { routes: ['/slots'], fill: readVisitor },
      island: { routes: ['/island'], fill: readVisitor, html: renderIsland(VisitorIsland) },
    }),
  ],
});

server.router.get('/api/visitor', async (_request, response) => {
  const visitor = await readVisitor();
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(visitor));
});

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) await server.listen();
