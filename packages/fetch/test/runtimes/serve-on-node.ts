import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConformanceServer } from '@ng-ssr/conformance';
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';

/** Serves what a framework has made of a handler on node:http, on any free port. */
export async function serveOnNode(
  listener: RequestListener,
  ssr: FetchSsrHandler,
): Promise<ConformanceServer> {
  const server = createServer(listener).listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ready: ssr.ready,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
      await ssr.close();
    },
  };
}
