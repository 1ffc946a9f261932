/**
 * What renders leave on the heap: `npm run leaks -w @ng-ssr/bench [-- --renders 50000] [--every 5000]
 * [--path /account] [--connections 4]`. Renders a page of the example again and again, over HTTP, and prints the
 * heap after full collections, its slope, and which objects have grown and what holds them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { HeapSnapshot } from './heap-snapshot.ts';
import type { Question } from './probe.ts';
import { slopeOf } from './slope.ts';

const { values } = parseArgs({
  options: {
    renders: { type: 'string', default: '50000' },
    every: { type: 'string', default: '5000' },
    path: { type: 'string', default: '/account' },
    connections: { type: 'string', default: '4' },
  },
});
const renders = Number(values.renders);
const every = Number(values.every);
const connections = Number(values.connections);
const SHOWN = 8;
const root = join(import.meta.dirname, '../../..');

const server = startServer();
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-leaks-'));
try {
  const url = (await listening(server)) + values.path.slice(1);
  const points: { renders: number; bytes: number }[] = [];
  const [first, last] = ['first', 'last'].map((name) => join(folder, `${name}.heapsnapshot`));
  for (let done = every; done <= renders; done += every) {
    await renderAll(url, every);
    const bytes = await ask(server, {});
    points.push({ renders: done, bytes });
    console.log(`${String(done).padStart(8)} renders  ${(bytes / 2 ** 20).toFixed(2)} MB`);
    if (done === every) await ask(server, { snapshotFile: first! });
  }
  await ask(server, { snapshotFile: last! });
  // Until the middle, caches are filled, and V8 compiles.
  const settled = points.slice(Math.floor(points.length / 2));
  const bytesPerRender = slopeOf(settled.map(({ renders: x, bytes: y }) => ({ x, y })));
  console.log(`slope of the second half: ${bytesPerRender.toFixed(1)} bytes per render`);
  for (const { name, count, bytes, path } of new HeapSnapshot(last!).growthSince(
    new HeapSnapshot(first!),
    SHOWN,
  )) {
    console.log(`${name}: ${count} more, ${bytes} bytes\n    ${path}`);
  }
} finally {
  agent.destroy();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

function startServer(): ChildProcess {
  const program = join(root, 'examples/material-app/dist/app/server/server.mjs');
  const probe = join(import.meta.dirname, 'probe.ts');
  return spawn(process.execPath, ['--expose-gc', '--import', probe, program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...{ PORT: '0', NODE_ENV: 'production', ADAPTER: 'node', NG_ALLOWED_HOSTS: 'localhost' },
    },
  });
}

async function listening({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) {
    const url = line.split('Listening on ')[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it listened: run "npm run build"');
}

async function ask(to: ChildProcess, question: Question): Promise<number> {
  to.send(question);
  const [bytes] = (await once(to, 'message')) as [number];
  return bytes;
}

async function renderAll(url: string, count: number): Promise<void> {
  let begun = 0;
  const loop = async (): Promise<void> => {
    while (begun++ < count) await renderOnce(url);
  };
  await Promise.all(Array.from({ length: connections }, loop));
}

function renderOnce(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
}
