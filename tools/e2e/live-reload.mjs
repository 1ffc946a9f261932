import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, serve } from './child-process.mjs';
import { get } from './http-checks.mjs';
import { childEnv } from './workspace.mjs';

/**
 * `ng serve`, a page and a route through the adapter, and then a change in a template: the browser's
 * connection is told, and the page has it.
 */
export async function checkLiveReload(workspace) {
  const port = await freePort();
  const args = ['ng', 'serve', '--port', String(port), '--host', '127.0.0.1'];
  const server = await serve('npx', args, {
    cwd: workspace,
    env: childEnv,
    ready: /Local:\s+http/,
    limitMs: 120_000,
  });
  try {
    const page = await get(port, '/');
    assert.equal(page.status, 200, `${page.body.slice(0, 500)}\n${server.output()}`);
    assert.match(page.body, /<h1>Home one<\/h1>/);
    assert.equal((await get(port, '/api/time')).status, 200);

    const { told } = await connect(port);
    const file = join(workspace, 'src/app/home.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Home one', 'Home two'));
    await told;
    assert.match((await get(port, '/')).body, /<h1>Home two<\/h1>/);
  } finally {
    await server.stop();
  }
}

/** Connects as the page's script does; `told` resolves with the first message of a change. */
async function connect(port) {
  const { body } = await get(port, '/@vite/client');
  const token = /wsToken = "([^"]+)"/.exec(body)?.[1] ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=${token}`, 'vite-hmr');
  const isOpen = Promise.withResolvers();
  const isTold = Promise.withResolvers();
  const limit = setTimeout(() => isTold.reject(new Error('no live reload within 60 s')), 60_000);
  socket.onerror = () => isOpen.reject(new Error('the live reload connection failed'));
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(data);
    if (type === 'connected') isOpen.resolve();
    if (!['full-reload', 'update', 'custom'].includes(type)) return;
    clearTimeout(limit);
    socket.close();
    isTold.resolve();
  };
  await isOpen.promise;
  return { told: isTold.promise };
}
