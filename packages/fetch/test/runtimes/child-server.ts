import { connectToSuite } from '@ng-ssr/conformance/child';
import {
  createFetchSsrHandler,
  type FetchServer,
  type FetchSsrHandler,
  shutDownOnSignals,
} from '@ng-ssr/fetch/server';

/** A server that listens. */
interface Started {
  readonly port: number;
  readonly server: FetchServer;
  /** The app, as the server calls it. */
  fetch(request: Request): Response | Promise<Response>;
  stop(): Promise<unknown>;
}

/**
 * Runs in a child process on Bun or Deno: serves until the suite has no more to ask.
 *
 * @param start - Starts a server on any free port.
 */
export async function runChildServer(start: (ssr: FetchSsrHandler) => Started): Promise<void> {
  const { options, serve } = connectToSuite();
  const ssr = createFetchSsrHandler({ ...options, routes: (request) => server.fetch(request) });
  const server = start(ssr);
  // The suite stops the server itself; the handler learns its port.
  shutDownOnSignals(server.server, ssr, false);
  await serve({
    port: server.port,
    ready: ssr.ready,
    close: async () => {
      await server.stop();
      await ssr.close();
    },
  });
}
