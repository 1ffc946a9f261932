import { once } from 'node:events';
import {
  connect,
  constants,
  createSecureServer,
  createServer as createHttp2Server,
} from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { Agent, request as requestHttps } from 'node:https';
import { type SsrOptions, withSlots } from '@ng-ssr/core';
import type { SsrServer } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import { hangingSite, slottedSite, SOON } from './private-slots.ts';
import { selfSigned } from './self-signed.ts';

const pair = selfSigned();
const STYLES = 'html{}'.repeat(300);
const LARGE = 'A,B\n'.repeat(50_000);

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A server with TLS that speaks both protocols. A render lands at once, that of `/slow` with `land`. */
async function start(createServer: (options: SsrOptions) => SsrServer) {
  let land!: () => void;
  const landed = new Promise<void>((resolve) => (land = resolve));
  let begun = 0;
  const ssr = createServer({
    engine: async ({ url }) => {
      const { pathname, protocol } = new URL(url);
      begun++;
      if (pathname.startsWith('/slow')) await landed;
      const headers = { 'content-type': 'text/html' };
      return new Response(`${protocol}${pathname}`, { headers });
    },
    allowedHosts: ['localhost'],
    files: {
      folder: writeBuiltSite({ 'browser/styles.css': STYLES, 'browser/large.csv': LARGE }),
      maxFileBytes: 10_000,
    },
  });
  // No cast: the listener takes the requests of both protocols.
  const own = createSecureServer({ ...pair!, allowHTTP1: true }, ssr.reqHandler);
  const { url, port, server } = await ssr.listen({
    port: 0,
    server: own,
    announce: false,
    shutdown: false,
  });
  // Its type is that of the server given.
  server.updateSettings({ enablePush: false });
  onTestFinished(() => ssr.close());
  return { ssr, url, port, server, land, begun: () => begun };
}

function openSession(port: number): ClientHttp2Session {
  const session = connect(`https://localhost:${port}`, { ca: pair!.cert });
  onTestFinished(() => session.destroy());
  return session;
}

function getHttp2(session: ClientHttp2Session, path: string, headers = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ...headers });
    let head: Record<string, unknown> = {};
    let body = '';
    stream.once('error', reject);
    stream.once('response', (received) => (head = received));
    stream.setEncoding('utf8').on('data', (text: string) => (body += text));
    stream.once('end', () => resolve({ status: Number(head[':status']), headers: head, body }));
  });
}

function getHttp1(port: number, path: string, agent: Agent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = requestHttps({ port, path, agent, host: 'localhost', ca: pair!.cert });
    request.once('error', reject).once('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body }),
      );
    });
    request.end();
  });
}

/** A server over HTTP/2 with TLS, beside the whole conformance suite over HTTP/2 without. */
export function defineHttp2Test(createServer: (options: SsrOptions) => SsrServer): void {
  test.skipIf(pair === undefined)('one server answers HTTP/2 and HTTP/1.1', async () => {
    const { port, url } = await start(createServer);
    expect(url).toBe(`https://localhost:${port}/`);
    const session = openSession(port);
    const get = (path: string, headers = {}) => getHttp2(session, path, headers);

    const styles = await get('/styles.css');
    expect([styles.status, styles.body]).toEqual([200, STYLES]);
    const same = await get('/styles.css', { 'if-none-match': styles.headers['etag'] });
    expect([same.status, same.body]).toEqual([304, '']);
    const part = await get('/styles.css', { range: 'bytes=0-3', 'accept-encoding': 'identity' });
    expect([part.status, part.body]).toEqual([206, 'html']);
    const large = await get('/large.csv');
    expect([large.status, large.body.length]).toEqual([200, LARGE.length]);
    const row = await get('/large.csv', { range: 'bytes=4-6' });
    expect([row.status, row.body]).toEqual([206, 'A,B']);
    const head = await get('/styles.css', { ':method': 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body]).toEqual([
      200,
      String(STYLES.length),
      '',
    ]);
    const page = await get('/page');
    expect([page.status, page.body]).toEqual([200, 'https:/page']);

    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const old = await getHttp1(port, '/page', agent);
    expect([old.status, old.body]).toEqual([200, 'https:/page']);
  });

  test.skipIf(pair === undefined)('close() answers what is in flight in both', async () => {
    const { ssr, port, server, land, begun } = await start(createServer);
    const session = openSession(port);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const goaway = once(session, 'goaway');
    const ended = once(session, 'close');
    const pages = [getHttp2(session, '/slow/2'), getHttp1(port, '/slow/1', agent)];
    await expect.poll(begun).toBe(2);
    let isClosed = false;
    const closed = ssr.close().then(() => (isClosed = true));
    await goaway;
    expect(isClosed).toBe(false);
    land();
    const [page2, page1] = await Promise.all(pages);
    expect([page2!.status, page2!.body]).toEqual([200, 'https:/slow/2']);
    expect([page1!.status, page1!.body]).toEqual([200, 'https:/slow/1']);
    expect(page1!.headers['connection']).toBe('close');
    await Promise.all([closed, ended]);
    expect(server.listening).toBe(false);
  });

  test.skipIf(pair === undefined)('close() ends with connections that are idle', async () => {
    const { ssr, port } = await start(createServer);
    const session = openSession(port);
    await getHttp2(session, '/page');
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await getHttp1(port, '/page', agent);
    await Promise.all([ssr.close(), once(session, 'close')]);
  });

  test('listen() takes no server that listens, and nothing else', async () => {
    const ssr = createServer({
      engine: () => null,
      files: { folder: writeBuiltSite({ 'browser/robots.txt': '' }) },
    });
    onTestFinished(() => ssr.close());
    const { server } = await ssr.listen({ port: 0, announce: false, shutdown: false });
    for (const wrong of [server, {}, 'server']) {
      await expect(ssr.listen({ port: 0, server: wrong as never })).rejects.toMatchObject({
        code: 'NG_SSR_OPTION_INVALID',
        message: expect.stringContaining(
          'allowed: a server of node:http2 or node:https that does not listen yet',
        ) as string,
      });
    }
  });

  test(
    'the fill of a client that has left before its page is sent is aborted',
    async () => {
      const { begun, aborted, options } = hangingSite();
      const page = `<html><body>${'a page '.repeat(1000)}</body></html>`;
      const engine = () => new Response(page, { headers: { 'content-type': 'text/html' } });
      const ssr = createServer({ ...options, engine });
      const server = createHttp2Server((request, response) => {
        // While the page is encoded.
        void begun.then(() => response.stream.destroy());
        ssr.reqHandler(request, response);
      });
      const { port } = await ssr.listen({ port: 0, server, announce: false, shutdown: false });
      onTestFinished(() => ssr.close());
      const session = connect(`http://127.0.0.1:${port}`);
      onTestFinished(() => session.destroy());
      session.request({ ':path': '/page', cookie: 'a=b', 'accept-encoding': 'gzip' });
      await aborted;
    },
    SOON,
  );

  test.skipIf(pair === undefined)(
    'a stream that is reset ends its own fill, and close() waits for the slots of others',
    async () => {
      const aborted: string[] = [];
      const finish = new Map<string, () => void>();
      const slot = {
        timeoutMs: 60_000,
        fill: (request: Request, { signal }: { readonly signal: AbortSignal }) => {
          const cookie = request.headers.get('cookie')!;
          signal.addEventListener('abort', () => aborted.push(cookie));
          return new Promise((resolve) => finish.set(cookie, () => resolve(cookie)));
        },
      };
      const ssr = createServer({
        ...slottedSite(),
        allowedHosts: ['localhost'],
        features: [withSlots({ slot })],
      });
      const server = createSecureServer({ ...pair!, allowHTTP1: true }, ssr.reqHandler);
      const { port } = await ssr.listen({ port: 0, server, announce: false, shutdown: false });
      onTestFinished(() => ssr.close());
      const session = openSession(port);
      const stayers = ['a=1', 'a=2'].map((cookie) => getHttp2(session, '/page', { cookie }));
      const leaver = session.request({ ':path': '/page', cookie: 'a=3' });
      await once(leaver, 'data');
      leaver.close(constants.NGHTTP2_CANCEL);
      await expect.poll(() => aborted).toEqual(['a=3']);
      await expect.poll(() => finish.size).toBe(3);
      const goaway = once(session, 'goaway');
      const closed = ssr.close();
      await goaway;
      for (const end of finish.values()) end();
      const pages = await Promise.all(stayers);
      expect(pages.map(({ body }) => /slot="slot">(.*)/.exec(body)?.[1])).toEqual([
        ...['"a=1"', '"a=2"'],
      ]);
      expect(pages.every(({ body }) => body.endsWith('</body></html>'))).toBe(true);
      await closed;
      expect(aborted).toEqual(['a=3']);
    },
    SOON,
  );
}
