/**
 * Pages whose APIs fail in every way: `npm run soak:calls -w packages/core [-- --renders 10000 --only hung,reset]`. Prints how late each
 * page comes past the time of its call, and what renders leave: heap, memory outside of it, and open connections.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withCalls } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

const ALL_WAYS = 'hung,late,drip,reset,half,big,announced,garbage,fine';
const { values } = parseArgs({
  options: {
    renders: { type: 'string', default: '10000' },
    only: { type: 'string', default: ALL_WAYS },
    api: { type: 'boolean' },
  },
});
const RENDERS = Number(values.renders);
const TIMEOUT_MS = 100;
const AT_A_TIME = 50;
const BIG_BYTES = 100 * 1024 * 1024;
const WAYS = values.only.split(',');

if (values.api === true) await serveApi();
else await soak();

/** The API, in a process of its own. */
async function serveApi(): Promise<void> {
  process.once('disconnect', () => process.exit());
  const chunk = Buffer.alloc(65_536, 'x');
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const { socket } = request;
    switch (request.url) {
      case '/hung':
        return;
      case '/late':
        return void setTimeout(() => response.end('late'), 5000).unref();
      case '/drip':
        return void response.writeHead(200).write('a');
      case '/reset':
        return void socket.resetAndDestroy();
      case '/half':
        response.writeHead(200, { 'content-length': '100' }).write('half');
        return void setTimeout(() => socket.destroy(), 20);
      case '/big':
      case '/announced': {
        const isAnnounced = request.url === '/announced';
        response.writeHead(200, isAnnounced ? { 'content-length': BIG_BYTES } : {});
        const send = (left: number): void => {
          if (socket.destroyed || left <= 0) return void response.end();
          if (response.write(chunk)) setImmediate(send, left - chunk.length);
          else response.once('drain', () => send(left - chunk.length));
        };
        return send(BIG_BYTES);
      }
      default:
        return void response.end('fine');
    }
  });
  const garbage = createNetServer((socket) => {
    socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n\0\x01garbage\r\n\r\n');
  });
  for (const each of [server, garbage]) {
    each.listen(0, '127.0.0.1');
    await once(each, 'listening');
  }
  const ports = [server, garbage].map((each) => (each.address() as AddressInfo).port);
  process.send!(ports);
}

async function soak(): Promise<void> {
  const api = spawn(process.execPath, [import.meta.filename, '--api'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [[port, garbagePort]] = (await once(api, 'message')) as [[number, number]];
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-calls-'));
  writeFileSync(join(folder, 'robots.txt'), '');
  const urlOf = (way: string): string =>
    way === 'garbage' ? `http://127.0.0.1:${garbagePort}/` : `http://127.0.0.1:${port}/${way}`;
  const handler = new SsrHandler({
    engine: async (request) => {
      const way = new URL(request.url).pathname.slice(1);
      const text = await fetch(urlOf(way))
        .then((response) => response.text())
        .catch(() => 'fallback');
      return new Response(text);
    },
    allowedHosts: ['localhost'],
    files: { folder },
    render: { concurrency: AT_A_TIME },
    features: [withCalls({ '**': { timeoutMs: TIMEOUT_MS, maxBytes: 1_000_000 } })],
    onError: ({ code, message }) => {
      if (code !== 'NG_SSR_CALL_NOTICE') console.error(code, message);
    },
  });
  const times = new Map<string, number[]>(WAYS.map((way) => [way, []]));
  const render = async (way: string): Promise<void> => {
    const sinceMs = performance.now();
    const answer = await handler.render(
      {
        ...{ method: 'GET', target: `/${way}`, encrypted: false, status: 200 },
        header: (name) => (name === 'host' ? 'localhost' : undefined),
        headers: () => [['host', 'localhost']],
        content: async () => undefined,
      },
      null,
    );
    const text = Buffer.from(answer?.body ?? []).toString();
    // On a busy machine the API may be late that answers at once.
    const isExpected = text === 'fallback' || (way === 'fine' && text === 'fine');
    if (!isExpected) throw new Error(`${way}: ${text}`);
    times.get(way)!.push(performance.now() - sinceMs);
  };

  for (const way of WAYS) for (let i = 0; i < 20; i++) await render(way);
  console.log(`one at a time, timeoutMs ${TIMEOUT_MS}: the page comes after ms (median, most)`);
  for (const [way, ms] of times) {
    const sorted = ms.splice(0).sort((a, b) => a - b);
    console.log(`  ${way.padEnd(10)} ${sorted[10]!.toFixed(1)}  ${sorted.at(-1)!.toFixed(1)}`);
  }
  let next = 0;
  const work = async (until: number): Promise<void> => {
    while (next < until) await render(WAYS[next++ % WAYS.length]!);
  };
  const step = RENDERS / 10;
  for (let done = step; done <= RENDERS; done += step) {
    await Promise.all(Array.from({ length: AT_A_TIME }, () => work(done)));
    globalThis.gc?.();
    const { heapUsed, rss, external } = process.memoryUsage();
    const [heap, all, outside] = [heapUsed, rss, external].map((b) => (b / 2 ** 20).toFixed(1));
    const open = process.getActiveResourcesInfo().filter((name) => /TCP/.test(name)).length;
    console.log(
      `${String(done).padStart(7)} renders  heap ${heap} MB  outside ${outside} MB  rss ${all} MB  connections ${open}`,
    );
  }
  await handler.close();
  api.kill();
  rmSync(folder, { recursive: true });
}
