import { once } from 'node:events';
import { connect, constants, createServer } from 'node:http2';
import { join } from 'node:path';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import compression from 'compression';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** An app with the usual middleware, and a client of it over one HTTP/2 session. */
async function start() {
  const folder = writeBuiltSite({ 'browser/robots.txt': 'User-agent: *' });
  const ssr = createExpressSsrServer({
    engine: () => new Response('page', { headers: { 'content-type': 'text/html' } }),
    allowedHosts: ['127.0.0.1'],
    files: { folder },
  });
  const sub = express()
    .get('/url', (request, response) => {
      response.json([request.baseUrl, request.url, request.hostname, request.httpVersion]);
    })
    .post('/echo', express.json(), (request, response) => {
      response.status(201).cookie('a', 'b').send(request.body);
    });
  Object.assign(ssr.app.request, { ownName: () => 'extended' });
  ssr.app.use(compression({ threshold: 0 }));
  ssr.app.use('/sub', sub);
  ssr.router.get('/own', (request, response) => {
    response.send((request as unknown as { ownName(): string }).ownName());
  });
  ssr.router.get('/moved', (_request, response) => response.redirect('/own'));
  ssr.router.get('/file', (_request, response) => response.sendFile(join(folder, 'robots.txt')));
  ssr.router.get('/failed', () => {
    throw new Error('the route has failed');
  });
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const hasLeft = new Promise<boolean>((resolve) => {
    ssr.router.post('/never', (request) => {
      request.on('close', () => resolve(true)).resume();
      hasBegun();
    });
  });
  const { port } = await ssr.listen({
    port: 0,
    server: createServer(ssr.reqHandler),
    announce: false,
    shutdown: false,
  });
  onTestFinished(() => ssr.close());
  const session = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  const get = (path: string, headers = {}, content?: string): Promise<Got> =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':path': path, ...headers }, { endStream: !content });
      let head: Record<string, unknown> = {};
      let body = '';
      stream.once('error', reject).once('response', (received) => (head = received));
      stream.setEncoding('utf8').on('data', (text: string) => (body += text));
      stream.once('end', () => resolve({ status: Number(head[':status']), headers: head, body }));
      if (content !== undefined) stream.end(content);
    });
  return { session, get, begun, hasLeft };
}

test('routes, mounted apps and middleware of Express answer over HTTP/2', async () => {
  const { get } = await start();
  expect((await get('/sub/url?a=b')).body).toBe('["/sub","/url?a=b","127.0.0.1","2.0"]');
  const json = { 'content-type': 'application/json', 'content-length': '7' };
  const posted = { ':method': 'POST', ...json };
  const echo = await get('/sub/echo', posted, '{"a":1}');
  expect([echo.status, echo.body, echo.headers['set-cookie']]).toEqual([
    201,
    '{"a":1}',
    ['a=b; Path=/'],
  ]);
  expect((await get('/own')).body).toBe('extended');
  const moved = await get('/moved');
  expect([moved.status, moved.headers['location']]).toEqual([302, '/own']);
  expect((await get('/file')).body).toBe('User-agent: *');
  const encoded = await get('/own', { 'accept-encoding': 'gzip' });
  expect([encoded.status, encoded.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect((await get('/failed')).status).toBe(500);
  expect((await get('/page')).body).toBe('page');
});

test('a client that resets one request keeps the others of its session', async () => {
  const { session, get, begun, hasLeft } = await start();
  const stream = session.request({ ':path': '/never', ':method': 'POST' });
  stream.on('error', () => undefined).write('the content, in part');
  await begun;
  stream.close(constants.NGHTTP2_CANCEL);
  await once(stream, 'close');
  expect(await hasLeft).toBe(true);
  expect((await get('/page')).body).toBe('page');
  expect(session.destroyed).toBe(false);
});
