/** A program whose pages are rendered in a thread, which runs it, too. */
import { connectToSuite, onlyInThreads } from '@ng-ssr/conformance/child';
import { createFixtureServer } from './conformance-server.ts';

const { serveHits, options, serve } = connectToSuite();
const engine = onlyInThreads(options.engine);
const render = { ...options.render, threads: 1 };
const server = createFixtureServer({ ...options, engine, serveHits, render });
if (server.isMainModule(import.meta.url)) {
  const { port } = await server.listen({ port: 0, announce: false });
  await serve({ port, ready: server.ready, close: server.close });
}
