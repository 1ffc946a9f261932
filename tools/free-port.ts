import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port, for programs that are told theirs. It is below those that systems give to connections and to servers
 * which ask for any port (Linux: from 32768), so that none of these takes it before the program does. The port 10,000
 * above, where servers of a Redis Cluster listen too, is as well.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 22_700);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
