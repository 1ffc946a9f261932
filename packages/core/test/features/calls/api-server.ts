import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A request that the API has received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly content: string;
}

/** An API that behaves as the path of a request says; it ends with the test. */
export interface Api {
  readonly origin: string;
  /** An origin whose server speaks no HTTP. */
  readonly garbage: string;
  /** An origin where no server listens. */
  readonly closed: string;
  readonly received: Received[];
  /** Requests whose client has disconnected before their answer was complete. */
  readonly abandoned: string[];
  /** The most requests that were in flight at a time. */
  most(): number;
  /** Answers the requests of `/held`. */
  release(): void;
}

const BIG_BYTES = 100 * 1024 * 1024;

export async function startApi(): Promise<Api> {
  const received: Received[] = [];
  const abandoned: string[] = [];
  const failures = new Map<string, number>();
  const held: (() => void)[] = [];
  let inFlight = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++inFlight);
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        inFlight--;
        if (!response.writableFinished) abandoned.push(url);
        resolve();
      });
    });
    const { method = '', url = '', headers, socket } = request;
    response.on('error', () => {});
    let content = '';
    try {
      for await (const chunk of request.setEncoding('utf8')) content += chunk as string;
    } catch {
      // The caller has broken off its content.
      return;
    }
    received.push({ method, url, headers, content });
    const { pathname, searchParams } = new URL(url, 'http://api');
    switch (pathname) {
      case '/hung':
        return;
      case '/received':
        // Answered once the API has received a request of that path.
        while (!received.some((request) => request.url === searchParams.get('path'))) await wait(5);
        return response.end();
      case '/held':
        held.push(() => response.end('held'));
        return;
      case '/late':
        await wait(Number(searchParams.get('ms')));
        return response.end('late');
      case '/reset':
        return socket.resetAndDestroy();
      case '/half':
        response.writeHead(200, { 'content-length': '100' }).write('half');
        await wait(20);
        return socket.destroy();
      case '/encodings': {
        const encodings = Array.from({ length: 7 }, () => 'gzip').join(', ');
        response
          .writeHead(200, { 'content-encoding': encodings, 'content-length': '100' })
          .write('half');
        await wait(20);
        return socket.destroy();
      }
      case '/drip':
        response.writeHead(200).write('a');
        return;
      case '/big':
        response.writeHead(200, searchParams.has('length') ? { 'content-length': BIG_BYTES } : {});
        for (let sent = 0; sent < BIG_BYTES && !socket.destroyed; sent += 65_536) {
          if (response.write(Buffer.alloc(65_536, 'x'))) continue;
          await Promise.race([closed, new Promise((go) => response.once('drain', go))]);
        }
        return response.end();
      case '/fails-first': {
        const left = failures.get(url) ?? Number(searchParams.get('times'));
        failures.set(url, left - 1);
        if (left > 0 && searchParams.has('reset')) return socket.resetAndDestroy();
        return response.writeHead(left > 0 ? Number(searchParams.get('status')) : 200).end('end');
      }
      case '/bytes':
        return response.end('x'.repeat(Number(searchParams.get('count'))));
      case '/redirect':
        return response.writeHead(302, { location: '/echo?from=redirect' }).end();
      case '/status':
        return response.writeHead(Number(searchParams.get('code'))).end('status');
      case '/nothing':
        return response.writeHead(204).end();
      default:
        response.writeHead(200, { 'content-type': 'application/json', 'x-api': 'yes' });
        return response.end(JSON.stringify({ method, url, headers, content }));
    }
  });
  const garbage = createNetServer((socket) => {
    socket.on('error', () => {});
    socket.end('SSH-2.0-OpenSSH_9.9\r\n\0\x01\x02garbage\r\n\r\n');
  });
  const origin = await listen(server);
  const garbageOrigin = await listen(garbage as Server);
  const closing = createNetServer();
  const closed = await listen(closing as Server);
  closing.close();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    garbage.close();
  });
  const release = (): void => {
    for (const end of held.splice(0)) end();
  };
  return { origin, garbage: garbageOrigin, closed, received, abandoned, most: () => most, release };
}

async function listen(server: Pick<Server, 'listen' | 'address' | 'once'>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server as Server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
