import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createNodeSsrServer, ssrMiddleware, withRouter } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { createStoredSite } from './stored-site.ts';

/** Ways to answer 201 with a Location, the last of them without a content. */
const WAYS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'headers set first': (response) => {
    response.statusCode = 201;
    response.setHeader('Location', '/made');
    response.end('made');
  },
  'an object': (response) => response.writeHead(201, { LOCATION: '/made' }).end('made'),
  'a flat list': (response) => response.writeHead(201, ['location', '/made']).end(),
  'a list of pairs': (response) =>
    response.writeHead(201, [['Location', '/made']] as never).end('made'),
  'a phrase and an object': (response) =>
    response.writeHead(201, 'Made', { location: '/made' }).end('made'),
  'early hints in front': (response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
    response.writeHead(201, { location: '/made' });
    response.write('ma');
    setImmediate(() => response.end('de'));
  },
};

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

for (const [label, answer] of Object.entries(WAYS)) {
  test(`a route's own target and what it has made are invalidated: ${label}`, async () => {
    const server = createNodeSsrServer({
      ...createStoredSite().options,
      features: [withRouter()],
    });
    server.router.post('/list', (_request, response) => answer(response));
    const origin = await listen(server.reqHandler);
    for (const path of ['/list', '/made', '/other']) await textOf(origin + path);
    expect((await fetch(`${origin}/list`, { method: 'POST' })).status).toBe(201);
    expect(await textOf(`${origin}/list`)).toBe('render 4');
    expect(await textOf(`${origin}/made`)).toBe('render 5');
    expect(await textOf(`${origin}/other`)).toBe('render 3');
  });
}

test('middleware that answers by itself invalidates too, by the target as it came and as it was rewritten', async () => {
  const server = createNodeSsrServer(createStoredSite().options)
    .use((request, _response, next) => {
      Object.assign(request, { originalUrl: request.url, url: `/en${request.url}` });
      next();
    })
    .use((request, response, next) => {
      if (request.method === 'POST') response.end();
      else next();
    });
  const origin = await listen(server.reqHandler);
  expect(await textOf(`${origin}/p`)).toBe('render 1');
  expect(await textOf(`${origin}/p`)).toBe('render 1');
  await fetch(`${origin}/p`, { method: 'POST' });
  expect(await textOf(`${origin}/p`)).toBe('render 2');
});

test('a route after the middleware that answers a POST invalidates its page', async () => {
  const { options } = createStoredSite();
  const ssr = ssrMiddleware(options);
  const origin = await listen((request, response) => {
    ssr.answer(request, response, () => {
      if (request.method === 'POST') response.end();
      else ssr(request, response, () => response.writeHead(404).end());
    });
  });
  expect(await textOf(`${origin}/p`)).toBe('render 1');
  await fetch(`${origin}/p`, { method: 'POST' });
  expect(await textOf(`${origin}/p`)).toBe('render 2');
});

test('under HTTP/2 an answer without content counts too', async () => {
  const server = createNodeSsrServer({
    ...createStoredSite().options,
    features: [withRouter()],
  });
  server.router.post('/p', (_request, response) => {
    response.statusCode = 204;
    response.end();
  });
  const http2 = createHttp2Server(server.reqHandler as never).listen(0, '127.0.0.1');
  await once(http2, 'listening');
  const session = connect(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`);
  onTestFinished(() => {
    session.close();
    http2.close();
  });
  const ask = async (method: string): Promise<string> => {
    const stream = session.request({ ':method': method, ':path': '/p' });
    stream.end();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  };
  expect([await ask('GET'), await ask('GET')]).toEqual(['render 1', 'render 1']);
  await ask('POST');
  expect(await ask('GET')).toBe('render 2');
});
