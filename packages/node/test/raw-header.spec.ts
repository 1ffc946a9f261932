/** What a request's headers are to the core, before and after somebody has read Node's `headers`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RawConnection, requestBytes } from '@ng-ssr/conformance';
import { fuzzOptions, Random } from '@ng-ssr/conformance/fuzz';
import { NodeExchange } from '@ng-ssr/node/adapter';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const NAMES = [
  ...['Accept', 'accept-encoding', 'Accept-Language', 'Cookie', 'IF-NONE-MATCH', 'If-Match'],
  ...['Range', 'if-modified-since', 'X-Forwarded-For', 'constructor', 'user-agent'],
  ...['Authorization', 'Set-Cookie'],
];
const VALUES = ['a', '', 'b, c', '"tag"', 'x=1', '\u00e9', '  spaces  '];

async function listen(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A header as `headers` has it. */
function known({ headers }: IncomingMessage, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(', ') : value;
}

const { requests, seed } = fuzzOptions(500);

test(
  `headers are those that Node parses (seed ${seed})`,
  { timeout: 300_000 + requests * 5 },
  async () => {
    const names = [...NAMES, 'none'].map((name) => name.toLowerCase());
    const port = await listen((request, response) => {
      const exchange = new NodeExchange(request, response);
      const read = names.map((name) => [name, exchange.header(name)]);
      const parsed = names.map((name) => [name, known(request, name)]);
      response.end(JSON.stringify({ read, parsed }));
    });
    const client = await RawConnection.open(port);
    onTestFinished(() => client.destroy());
    const random = new Random(seed);
    for (let i = 0; i < requests; i++) {
      const count = random.below(8);
      const lines = Array.from({ length: count }, () => {
        const name = random.pick(NAMES);
        const written = random.chance(0.5) ? name.toLowerCase() : name;
        return `${written}: ${random.pick(VALUES)}\r\n`;
      });
      client.write(
        Buffer.from(`GET /${i} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`, 'latin1'),
      );
      const { body } = await client.read();
      const { read, parsed } = JSON.parse(String(body)) as Record<string, unknown>;
      expect(read, lines.join('')).toEqual(parsed);
    }
  },
);

test('a header that middleware has removed or set is as middleware has left it', async () => {
  const ssr = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
  });
  ssr.use((request, _response, next) => {
    if (request.url === '/?remove') delete request.headers['if-none-match'];
    if (request.url === '/?set') request.headers['if-none-match'] = '*';
    if (request.url === '/?replace') request.headers = { 'if-none-match': '*' };
    const value = { 'if-none-match': '*' };
    if (request.url === '/?define') Object.defineProperty(request, 'headers', { value });
    next();
  });
  const port = await listen(ssr.reqHandler);
  const client = await RawConnection.open(port);
  onTestFinished(() => client.destroy());
  const statusOf = async (target: string, headers: Record<string, string>): Promise<number> => {
    client.write(requestBytes({ target, headers: { host: '127.0.0.1', ...headers } }));
    return (await client.read()).status;
  };
  expect(await statusOf('/', { 'if-none-match': '*' })).toBe(304);
  expect(await statusOf('/?remove', { 'if-none-match': '*' })).toBe(200);
  for (const target of ['/?set', '/?replace', '/?define']) {
    expect(await statusOf(target, {}), target).toBe(304);
  }
});
