/**
 * A server with an inspector, or only the purge endpoint if ONLY is "purge", and a stub engine: prints its URL, and ends with
 * SIGTERM.
 */
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withInspector, withPurgeEndpoint } from '@ng-ssr/core';
import { type Answer, type Exchange, SsrHandler } from '@ng-ssr/core/adapter';

const handler = new SsrHandler({
  engine: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/slow')) await wait(300);
    const headers = { 'content-type': 'text/html', 'cache-tag': 'all' };
    return new Response(`<p>${pathname}</p>`, { headers });
  },
  allowedHosts: ['127.0.0.1', 'shop.example'],
  routeRules: { '/stored/**': { sMaxAge: 60 }, '/stored/*/now': { cache: false } },
  features:
    process.env['ONLY'] === 'purge'
      ? [withPurgeEndpoint()]
      : [
          withPurgeEndpoint({ path: '/_cache/purge', token: 'a-token-of-the-purge-endpoint' }),
          withInspector({ token: 'a-token-of-the-inspector' }),
        ],
  files: { folder: mkdtempSync(join(tmpdir(), 'ng-ssr-cli-')) },
});

const server = createServer((request, response) => {
  const exchange: Exchange = {
    method: request.method!,
    target: request.url!,
    encrypted: false,
    localPort: request.socket.localPort,
    status: 200,
    header: (name) => request.headers[name] as string | undefined,
    headers: () => Object.entries(request.headers) as [string, string][],
    content: async () => Buffer.concat(await request.toArray()),
  };
  const send = ({ status, headers, body }: Answer): void => {
    response.writeHead(status, [...headers]).end(body);
  };
  const held = handler.answer(exchange);
  if (held !== undefined) return send(held);
  void handler.render(exchange).then((answer) => send(answer ?? handler.notFound(exchange)));
});
await handler.ready();
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as { readonly port: number };
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
