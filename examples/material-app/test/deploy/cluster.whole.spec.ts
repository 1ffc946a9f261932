import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stress } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { underLoad } from './load.ts';
import { copyFrom, shopFolder } from './site-folder.ts';

test('workers are replaced under load without a failed request', async () => {
  const folder = shopFolder();
  copyFrom('cluster.md', 'cluster.mjs', folder);
  const port = await freePort();
  const env = { NODE_ENV: 'production', PORT: String(port), NG_ALLOWED_HOSTS: '127.0.0.1' };
  const origin = `http://127.0.0.1:${port}`;
  const command = [process.execPath, 'cluster.mjs'] as const;
  const server = await DeployedServer.start({ command: [...command], cwd: folder, env, origin });
  const replaced = () => server.said.match(/worker \d+ has replaced \d+/g)?.length ?? 0;
  const listening = () => server.said.match(/worker \d+ listens/g)?.length ?? 0;
  await expectPages(askOver(origin));
  const count = availableParallelism();
  while (listening() < count) await delay(20);

  const load = await underLoad(port, async () => {
    server.process.kill('SIGHUP');
    while (replaced() < count) await delay(20);
  });
  expect(load.failures).toEqual([]);

  // A worker that crashes has a successor.
  const [, pid] = /worker (\d+) has replaced/.exec(server.said)!;
  process.kill(Number(pid), 'SIGKILL');
  while (!server.said.includes(`worker ${pid} exited with SIGKILL`)) await delay(20);
  expect((await askOver(origin)('/about')).status).toBe(200);

  expect(await server.drain()).toBe(0);
});

test('a reload that fails leaves the workers that run, and as many', async () => {
  const folder = shopFolder(true);
  copyFrom('cluster.md', 'cluster.mjs', folder);
  const program = join(folder, 'dist/shop/server/server.mjs');
  const build = readFileSync(program);
  const port = await freePort();
  const env = { NODE_ENV: 'production', PORT: String(port), NG_ALLOWED_HOSTS: '127.0.0.1' };
  const origin = `http://127.0.0.1:${port}`;
  const command = [process.execPath, 'cluster.mjs'] as const;
  const server = await DeployedServer.start({ command: [...command], cwd: folder, env, origin });
  const count = availableParallelism();
  const said = (pattern: RegExp) => server.said.match(pattern)?.length ?? 0;
  while (said(/worker \d+ listens/g) < count) await delay(20);

  writeFileSync(program, 'throw new Error("the new build is broken");');
  for (let failures = 1; failures <= 3; failures++) {
    server.process.kill('SIGHUP');
    while (said(/the running workers stay/g) < failures) await delay(20);
    expect((await askOver(origin)('/about')).status).toBe(200);
  }
  // A worker that would have been added starts again after a second, and listens with the next build that starts.
  await delay(stress(2000));
  writeFileSync(program, build);
  server.process.kill('SIGHUP');
  while (said(/worker \d+ has replaced/g) < count) await delay(20);
  await delay(stress(2000));
  expect(said(/worker \d+ listens/g)).toBe(2 * count);
  expect(said(/exited before it listened/g)).toBe(3);
  expect(await server.drain()).toBe(0);
});
