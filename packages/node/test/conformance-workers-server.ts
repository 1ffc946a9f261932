/** A program whose pages are rendered in a thread, which runs it, too. */
import { connectToSuite, onlyInThreads } from '@ng-ssr/conformance/child';
import { withRenderThreads, withCalls, withSlots } from '@ng-ssr/node/server';
import { createFixtureServer } from './conformance-server.ts';

const { serveHits, options, serve } = connectToSuite({ withCalls, withSlots });
const engine = onlyInThreads(options.engine);
const features = [...(options.features ?? []), withRenderThreads({ threads: 1 })];
const server = createFixtureServer({ ...options, engine, serveHits, features });
if (server.isMainModule(import.meta.url)) {
  const { port } = await server.listen({ port: 0, announce: false });
  await serve({ port, ready: server.ready, close: server.close });
}
