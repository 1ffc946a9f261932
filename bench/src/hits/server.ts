/**
 * One server of the comparison, in a process of its own: `node server.ts <name> <browser folder> <encoding>`.
 * It tells its port when it listens.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { get, type RawAnswer } from '../measure/request.ts';

const [name = '', browserFolder = '', encoding = ''] = process.argv.slice(2);
const page = readFileSync(join(browserFolder, 'index.html'));
const options = {
  engine: () =>
    new Response(page, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 's-maxage=3600' },
    }),
  allowedHosts: ['127.0.0.1'],
  files: { folder: browserFolder },
};

/** The least node:http can do: one writeHead with a prebuilt list, and end, with the bytes of the stored page. */
async function createLimit(): Promise<RequestListener> {
  const { rawHeaders, body } = await storedPage();
  const headers = rawHeaders.filter((_text, at) => !OF_NODE.test(rawHeaders[at - (at % 2)]!));
  return (_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
}

/**
 * The least a socket of Node can do: for whatever comes, the bytes of a whole response. What the limit takes above it is
 * the work of node:http; what it takes itself is that of the kernel and of the socket.
 */
async function createSocket(): Promise<Server> {
  const { rawHeaders, body } = await storedPage();
  let head = 'HTTP/1.1 200 OK\r\n';
  for (let i = 0; i < rawHeaders.length; i += 2)
    head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  const response = Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), body]);
  const server = createSocketServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => void socket.write(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server as Server;
}

/** Headers that node:http adds itself. */
const OF_NODE = /^(?:connection|keep-alive)$/i;

async function storedPage(): Promise<RawAnswer> {
  const server = await startServer(false);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/stored`;
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await get(url, { 'accept-encoding': encoding });
    const { 'content-encoding': actual = 'identity' } = answer.headers;
    if (actual === encoding && attempt > 2) {
      server.close();
      return answer;
    }
    await wait(100);
  }
  throw new Error(`the stored page is not sent in ${encoding}`);
}

/** A server that answers its hits on the socket, unless others listen to its requests. */
async function startServer(hasSocketHits: boolean): Promise<Server> {
  const server = createNodeSsrServer({ ...options, serveHits: 'before-middleware' });
  await server.ready();
  const { server: own } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  if (!hasSocketHits) own.on('request', () => undefined);
  return own;
}

async function startListener(
  listener: RequestListener,
  ready: () => Promise<void> = async () => undefined,
): Promise<Server> {
  await ready();
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const koa = (serveHits: 'before-middleware' | 'after-middleware'): Promise<Server> => {
  const { app, reqHandler, ready } = createKoaSsrServer({ ...options, serveHits });
  app.use((_context, next) => next());
  return startListener(reqHandler, ready);
};

const servers: Record<string, () => Promise<Server>> = {
  limit: async () => startListener(await createLimit()),
  socket: createSocket,
  'file on the socket': () => startServer(true),
  'file by node:http': () => startServer(false),
  'page on the socket': () => startServer(true),
  'page by node:http': () => startServer(false),
  node: () => {
    const { reqHandler, ready } = createNodeSsrServer(options);
    return startListener(reqHandler, ready);
  },
  koa: () => koa('after-middleware'),
  'koa before-middleware': () => koa('before-middleware'),
};

const start = servers[name];
if (start === undefined) throw new Error(`no server ${name}: ${Object.keys(servers).join(', ')}`);
process.send?.((await start()).address());
process.on('disconnect', () => process.exit());
