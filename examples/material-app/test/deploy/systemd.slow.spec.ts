import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fileShownIn } from '../../../../packages/schematics/test/deploy-page.ts';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer, isReady } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { underLoad } from './load.ts';
import { needsProgram } from './missing-program.ts';
import { noteRun } from './run-log.ts';
import { shopFolder, temporaryFolder } from './site-folder.ts';
import { readUnit } from './unit-file.ts';

const INSTALL = 'apt-get install systemd';
const socketText = fileShownIn('systemd.md', 'deploy/shop.socket');
const serviceText = fileShownIn('systemd.md', 'deploy/shop.service');

/**
 * What systemd does with the two units: holds the socket, starts the service with it when a connection comes, and
 * again each time that it ends.
 */
const MANAGER = `
while :; do
  sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"' - "$@" &
  service=$!
  echo "service $service"
  wait $service
  echo "ended with $?"
done
`;

test('a restart under load loses no connection', async (context) => {
  needsProgram(context, 'systemd-socket-activate', INSTALL);
  const socket = readUnit(socketText);
  const service = readUnit(serviceText);
  expect(socket.get('Socket.ListenStream')).toEqual(['4000']);
  const port = await freePort();
  const [program, ...parameters] = service.get('Service.ExecStart')![0]!.split(' ');
  expect(program).toBe('/usr/bin/node');
  const env = Object.fromEntries(
    service.get('Service.Environment')!.map((pair) => pair.split('=') as [string, string]),
  );
  const manager = await DeployedServer.start({
    command: [
      'systemd-socket-activate',
      `--listen=127.0.0.1:${port}`,
      ...Object.keys(env).map((name) => `--setenv=${name}`),
      '--setenv=PATH',
      ...['sh', '-c', MANAGER, 'sh', process.execPath, ...parameters],
    ],
    cwd: shopFolder(),
    env: { ...env, NG_ALLOWED_HOSTS: '127.0.0.1' },
    origin: `http://127.0.0.1:${port}`,
  });
  const services = () => [...manager.said.matchAll(/service (\d+)/g)].map(([, pid]) => Number(pid));
  context.onTestFinished(() => {
    const last = services().at(-1);
    manager.process.kill('SIGKILL');
    if (last !== undefined) process.kill(last, 'SIGKILL');
  });
  await expectPages(askOver(manager.origin));

  const restart = async (): Promise<void> => {
    const before = services();
    process.kill(before.at(-1)!, 'SIGTERM');
    do await delay(20);
    while (services().length === before.length || !(await isReady(manager.origin)));
  };
  const load = await underLoad(port, async () => {
    await restart();
    await restart();
  });
  expect(load.failures).toEqual([]);
  expect(manager.said.match(/ended with \d+/g)).toEqual(['ended with 0', 'ended with 0']);
  expect(manager.said).toContain(`Listening on http://localhost:${port}/`);
});

test('the service ends by itself before systemd ends it', () => {
  // The default of shutdown.timeoutMs is 10 s.
  expect(Number(readUnit(serviceText).get('Service.TimeoutStopSec')![0])).toBeGreaterThan(10);
});

test('systemd-analyze finds nothing wrong, and little exposed', (context) => {
  needsProgram(context, 'systemd-analyze', INSTALL);
  // A folder of units of its own, with what ours refer to.
  const folder = join(temporaryFolder(), 'units');
  mkdirSync(folder);
  const service = serviceText
    .replace('/usr/bin/node', process.execPath)
    .replace('/srv/shop', folder);
  writeFileSync(join(folder, 'shop.service'), service);
  writeFileSync(join(folder, 'shop.socket'), socketText);
  for (const name of ['network.target', 'multi-user.target', 'sockets.target', 'sysinit.target']) {
    writeFileSync(join(folder, name), `[Unit]\nDescription=${name}\n`);
  }
  const units = ['shop.socket', 'shop.service'].map((name) => join(folder, name));
  const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
  noteRun({ started: 'systemd-analyze verify' });
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    env,
    encoding: 'utf8',
  });
  expect(verified.stderr.split('\n').filter((line) => line.includes('shop'))).toEqual([]);
  expect(verified.status).toBe(0);
  // 0 is nothing exposed, 100 all of it: below 20 is "OK" in its words.
  const args = ['security', '--offline=true', '--threshold=20', units[1]!];
  const security = spawnSync('systemd-analyze', args, { env, encoding: 'utf8' });
  expect(security.stdout).toContain('Overall exposure level');
  expect(security.status).toBe(0);
});
