import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import { ssrMiddleware } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { FOR_CACHES, hangingSite, SOON, slottedSite } from './private-slots.ts';

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

test.each([
  ['an object', FOR_CACHES],
  ['a list', Object.entries(FOR_CACHES).flat()],
])(
  'under HTTP/2, headers that middleware passes to writeHead as %s leave a page with slots private',
  async (_form, headers) => {
    const ssr = ssrMiddleware(slottedSite());
    const server = createHttp2Server((request, response) => {
      const { writeHead } = response;
      response.writeHead = ((status: number) =>
        Reflect.apply(writeHead, response, [status, headers])) as typeof writeHead;
      (ssr as unknown as RequestListener)(
        ...([request, response, () => undefined] as unknown as Parameters<RequestListener>),
      );
    });
    onTestFinished(() => void server.close());
    const client = connectHttp2(`http://127.0.0.1:${await listen(server as unknown as Server)}`);
    onTestFinished(() => client.close());
    const stream = client.request({ ':path': '/page', cookie: 'a=b' });
    const [got] = (await once(stream, 'response')) as [Record<string, string>];
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
    expect(text).toContain('data-ng-ssr-slot="name"');
    expect(got['cache-control']).toBe('private, no-cache, no-transform');
    expect([got['cdn-cache-control'], got['etag']]).toEqual([undefined, undefined]);
    expect(got['vary']?.toLowerCase()).toContain('cookie');
  },
);

test(
  'fills are aborted if middleware throws when the page is sent',
  async () => {
    const { aborted, options } = hangingSite();
    const ssr = ssrMiddleware(options);
    const server = createServer((request, response) => {
      const { writeHead } = response;
      response.writeHead = (() => {
        response.writeHead = writeHead;
        throw new Error('no');
      }) as unknown as typeof writeHead;
      void ssr(request, response, () => undefined);
    });
    onTestFinished(() => void server.close());
    const port = await listen(server);
    const response = await fetch(`http://127.0.0.1:${port}/page`, { headers: { cookie: 'a=b' } });
    expect(response.status).toBe(500);
    await aborted;
  },
  SOON,
);

test(
  'fills of a pipelined request are aborted when its client leaves before its turn',
  async () => {
    const { begun, aborted, options } = hangingSite();
    const ssr = ssrMiddleware(options);
    const server = createServer((request, response) => {
      // The first one is never answered.
      if (request.url !== '/first') void ssr(request, response, () => undefined);
    });
    onTestFinished(() => void server.close());
    const client = connect(await listen(server), '127.0.0.1');
    const head = 'HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=b\r\n\r\n';
    client.write(`GET /first ${head}GET /page ${head}`);
    await begun;
    client.destroy();
    await aborted;
  },
  SOON,
);
