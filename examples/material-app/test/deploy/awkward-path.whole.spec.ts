import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { added, deployTo, editServer } from '../../../../packages/schematics/test/deployed.ts';
import { editBuild } from '../../../../packages/schematics/test/workspace.ts';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { packedBuild, temporaryFolder } from './site-folder.ts';
import { readUnit, wordsOfUnit } from './unit-file.ts';

/** What shells, YAML, systemd, JavaScript and URLs each have a meaning for. */
const OUTPUT = `dist/it's "my" $HOME %h #1, {a}`;
const SERVER = `${OUTPUT}/server/server.mjs`;

/** A folder with a build at that path, and the files that the generator writes for it. */
async function folderFor(target: string, adapter = 'koa'): Promise<string> {
  const tree = await added(adapter);
  editBuild(tree, (options) => (options['outputPath'] = OUTPUT));
  const before = tree.files;
  const { after } = await deployTo(target, adapter, tree);
  const folder = temporaryFolder();
  const written = after.files.filter((path) => !before.includes(path));
  for (const path of written) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), after.readText(path));
  }
  mkdirSync(join(folder, 'dist'), { recursive: true });
  symlinkSync(packedBuild(), join(folder, OUTPUT));
  return folder;
}

async function expectToServe(
  command: readonly [string, ...string[]],
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    NODE_ENV: 'production',
    PORT: String(port),
    NG_ALLOWED_HOSTS: '127.0.0.1',
    ...more,
  };
  const server = await DeployedServer.start({ command, cwd: folder, env, origin });
  await expectPages((path, headers) => askOver(origin)(path, { host: '127.0.0.1', ...headers }));
  await server.drain();
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

test('cluster.mjs starts', async () => {
  await expectToServe([process.execPath, 'cluster.mjs'], await folderFor('cluster'));
});

test('the command of Procfile starts in a shell', async () => {
  const folder = await folderFor('heroku');
  const [, command] = /^web: node (.+)\n$/.exec(read(folder, 'Procfile'))!;
  await expectToServe(['sh', '-c', `exec "${process.execPath}" ${command}`], folder);
});

test('the command of App Hosting starts in a shell', async () => {
  const folder = await folderFor('firebase');
  const { scripts } = parse(read(folder, 'apphosting.yaml')) as { scripts: { runCommand: string } };
  const command = scripts.runCommand.replace(/^node /, `exec "${process.execPath}" `);
  await expectToServe(['sh', '-c', command], folder);
});

test('ExecStart of the unit starts', async () => {
  const folder = await folderFor('systemd');
  const [command] = readUnit(read(folder, 'deploy/shop.service')).get('Service.ExecStart')!;
  expect(wordsOfUnit(command!)).toEqual(['/usr/bin/node', SERVER]);
  await expectToServe([process.execPath, ...wordsOfUnit(command!).slice(1)], folder);
});

test('the file of PM2 and the start of the image name the program', async () => {
  const folder = await folderFor('pm2');
  const config = join(folder, 'ecosystem.config.cjs');
  const { apps } = createRequire(config)(config) as { apps: [{ script: string }] };
  expect(apps[0].script).toBe(SERVER);
  const dockerfile = read(await folderFor('docker'), 'Dockerfile');
  expect(JSON.parse(/^CMD (.*)$/m.exec(dockerfile)![1]!)).toEqual(['node', SERVER]);
  await expectToServe([process.execPath, apps[0].script], folder);
});

test.each([
  ['netlify', 'fetch', 'netlify/functions/pages.mjs', 'function'],
  ['vercel', 'fetch', 'api/index.mjs', 'fetch'],
])('the function of %s is loaded', async (target, adapter, path, kind) => {
  const folder = await folderFor(target, adapter);
  const runner = join(import.meta.dirname, 'function-server.mjs');
  await expectToServe([process.execPath, runner, path, kind], folder, { ADAPTER: 'hono' });
});

test('probes that are no plain text stay what they are', async () => {
  const tree = await added('koa');
  const live = `/live, port: 1 } # 'a"`;
  editServer(tree, (text) =>
    text.replace('engine:', `probes: { live: ${JSON.stringify(live)}, ready: '/no' },\n  engine:`),
  );
  const { after } = await deployTo('cloud-run', 'koa', tree);
  const { spec } = parse(after.readText('/deploy/cloud-run.yaml')) as {
    spec: { template: { spec: { containers: [Record<string, unknown>] } } };
  };
  expect(spec.template.spec.containers[0]).toMatchObject({
    ports: [{ containerPort: 4000 }],
    startupProbe: { httpGet: { path: '/no' } },
    livenessProbe: { httpGet: { path: live } },
  });
  const check = JSON.parse(
    /HEALTHCHECK .* CMD (\[.*\])$/m.exec(after.readText('/Dockerfile'))![1]!,
  ) as string[];
  expect(check[2]).toContain(JSON.stringify(live));
});
