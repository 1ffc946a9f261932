import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test, type TestContext } from 'vitest';
import { askOver, expectPages } from './ask-pages.ts';
import { isReady } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { underLoad } from './load.ts';
import { noteRun } from './run-log.ts';
import { copyFrom, shopFolder, temporaryFolder } from './site-folder.ts';

const VERSION = '7.0.4';
/** PM2 is no dependency of ours: it is installed once, beside the example's builds. */
const FOLDER = join(import.meta.dirname, `../../dist/pm2-${VERSION}`);

const run = promisify(execFile);

async function pm2Program({ skip }: TestContext): Promise<string> {
  const program = join(FOLDER, 'node_modules/pm2/bin/pm2');
  if (existsSync(program)) return program;
  const folder = `${FOLDER}-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    await run('npm', [...args, '--omit=optional', `pm2@${VERSION}`], { timeout: 50_000 });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (process.env['CI'] === 'true') throw error;
    skip(`pm2 cannot be installed: "npm install pm2@${VERSION}" fails`);
  }
  renameSync(folder, FOLDER);
  return program;
}

test('a reload under load fails no request', async (context) => {
  const program = await pm2Program(context);
  const folder = shopFolder();
  copyFrom('pm2.md', 'ecosystem.config.cjs', folder);
  const config = join(folder, 'ecosystem.config.cjs');
  const port = await freePort();
  // The port and the host of this machine, in place of those of the file.
  const { apps } = createRequire(config)(config) as { apps: [{ env: Record<string, unknown> }] };
  expect(apps[0].env).toEqual({
    NODE_ENV: 'production',
    PORT: 4000,
    NG_ALLOWED_HOSTS: 'your.host',
  });
  const own = join(folder, 'here.config.cjs');
  const changes = JSON.stringify({ PORT: port, NG_ALLOWED_HOSTS: '127.0.0.1' });
  writeFileSync(
    own,
    `const { apps } = require('./ecosystem.config.cjs');\nObject.assign(apps[0].env, ${changes});\nmodule.exports = { apps };\n`,
  );

  const env = { PATH: process.env['PATH'], PM2_HOME: join(temporaryFolder(), 'pm2') };
  const pm2 = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [program, ...args], { cwd: folder, env });
    return stdout;
  };
  context.onTestFinished(async () => void (await pm2('kill')));
  noteRun({ started: `pm2 start ${basename(own)}` });
  await pm2('start', own);
  const origin = `http://127.0.0.1:${port}`;
  const processes = async () => {
    const list = JSON.parse((await pm2('jlist')).split('\n').at(-1) || '[]') as {
      pid: number;
      pm2_env: { status: string; restart_time: number; unstable_restarts: number };
    }[];
    return list.map(({ pid, pm2_env }) => ({ pid, status: pm2_env.status }));
  };
  const before = await processes();
  expect(before.map(({ status }) => status)).toEqual(
    Array.from({ length: availableParallelism() }, () => 'online'),
  );
  // PM2 starts a process and does not wait for it.
  while (!(await isReady(origin))) await delay(20);
  await expectPages(askOver(origin));

  const load = await underLoad(port, () => pm2('reload', 'shop'));
  expect(load.failures).toEqual([]);
  const after = await processes();
  expect(after).toHaveLength(before.length);
  const pids = new Set(before.map(({ pid }) => pid));
  expect(after.filter(({ pid, status }) => pids.has(pid) || status !== 'online')).toEqual([]);
});
