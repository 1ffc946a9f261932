/** A program that serves in two threads, each of which runs it. */
import { connectToSuite } from '@ng-ssr/conformance/child';
import { withCalls, withServerThreads, withSlots } from '@ng-ssr/node/server';
import { createFixtureServer } from './conformance-server.ts';

const { serveHits, options, serve } = connectToSuite({ withCalls, withSlots });
const server = createFixtureServer({
  ...options,
  serveHits,
  features: [...(options.features ?? []), withServerThreads({ threads: 2 })],
});
const { port } = await server.listen({ port: 0, announce: false });
await serve({ port, ready: server.ready, close: server.close });
