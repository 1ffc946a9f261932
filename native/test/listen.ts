import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs a handler on a free port of the loopback interface for as long as `use` takes. */
export async function listen(
  handler: RequestListener,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The headers of a request that asks for what changed; fetch adds no-cache if it may. */
export const conditional = (tag: string): Record<string, string> => ({
  'if-none-match': tag,
  'cache-control': 'max-age=0',
});
