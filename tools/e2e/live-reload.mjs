import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { serve } from './child-process.mjs';
import { get } from './http-checks.mjs';
import { childEnv, programOf } from './workspace.mjs';

/**
 * For each thing the dev server does. It bundles dependencies when they are first asked for, and the
 * application after a change: minutes of work on a machine that has other work. A server that fails
 * ends its connections, and is not waited for.
 */
const LIMIT_MS = 180_000;
const ask = (port, path) => get(port, path, {}, LIMIT_MS);

/**
 * `ng serve`, a page and a route through the adapter, and then a change in a template: the browser's
 * connection is told, and the page has it.
 *
 * @param command - What starts it.
 * @param project - The application's folder.
 */
export async function checkLiveReload(
  workspace,
  { command = ['ng', 'serve'], project = workspace, env = childEnv } = {},
) {
  const port = await freePort();
  const [program, ...words] = command;
  const args = [...words, '--port', String(port), '--host', '127.0.0.1'];
  const server = await serve(programOf(workspace, program), args, {
    cwd: workspace,
    env,
    ready: /Local:\s+http/,
    limitMs: LIMIT_MS,
  });
  try {
    const page = await ask(port, '/');
    assert.equal(page.status, 200, `${page.body.slice(0, 500)}\n${server.output()}`);
    assert.match(page.body, /<h1>Home one<\/h1>/);
    assert.equal((await ask(port, '/api/time')).status, 200);

    const { told } = await connect(port);
    const file = join(project, 'src/app/home.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Home one', 'Home two'));
    await told;
    assert.match((await ask(port, '/')).body, /<h1>Home two<\/h1>/);
  } finally {
    await server.stop();
  }
}

/** Connects as the page's script does; `told` resolves with the first message of a change. */
async function connect(port) {
  const { body } = await ask(port, '/@vite/client');
  const token = /wsToken = "([^"]+)"/.exec(body)?.[1] ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=${token}`, 'vite-hmr');
  const isOpen = Promise.withResolvers();
  const isTold = Promise.withResolvers();
  // A connection that never opens tells nothing either: that is one error, not two.
  isTold.promise.catch(() => undefined);
  const fail = (why) => {
    clearTimeout(limit);
    const error = new Error(`the live reload connection ${why}`);
    isOpen.reject(error);
    isTold.reject(error);
  };
  const limit = setTimeout(() => fail(`said nothing for ${LIMIT_MS / 1000} s`), LIMIT_MS);
  socket.onerror = () => fail('failed');
  socket.onclose = () => fail('was closed');
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
