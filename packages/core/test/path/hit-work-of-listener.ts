import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { countWork } from './count-work.ts';

/**
 * Asks a request listener for a held page some times, and counts the work of the last: what a
 * distinct header value costs, and what an adapter does with its first request, it costs once.
 *
 * @returns calls by name, without those of node:http itself, which checks every header it writes.
 */
export async function hitWorkOfListener(
  listener: RequestListener,
  path = '/',
): Promise<Record<string, number>> {
  let work: Record<string, number> = {};
  const server = createServer((request, response) => {
    work = countWork(
      () => listener(request, response),
      (caller) => !caller.includes('node:_http'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let request = 0; request < 3; request++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-status')).toBe('ng-ssr; hit');
    await answer.arrayBuffer();
  }
  server.close();
  return work;
}
