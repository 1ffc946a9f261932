import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, expect, test } from 'vitest';
// @ts-expect-error: a program of tools, without types.
import { readManifest } from '../../../../tools/e2e/pack.mjs';
// @ts-expect-error: a program of tools, without types.
import { startRegistry } from '../../../../tools/e2e/registry.mjs';
import { fileShownIn } from '../../../../packages/schematics/test/deploy-page.ts';
import { added, deployTo } from '../../../../packages/schematics/test/deployed.ts';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { runDockerfile } from './dockerfile.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { underLoad } from './load.ts';
import { noteRun } from './run-log.ts';
import { packedBuild, temporaryFolder } from './site-folder.ts';

const ROOT = join(import.meta.dirname, '../../../..');
/** Of the image `node`. */
const USERS: Readonly<Record<string, number>> = { node: 1000 };

/** The packages that are beside the bundle, in a registry of the test's own: ours are not published. */
async function packageRegistry(folder: string): Promise<string> {
  const native = join(folder, 'native');
  cpSync(join(ROOT, 'native'), native, {
    recursive: true,
    filter: (path) => !/\/build\b/.test(path),
  });
  const addon = join(ROOT, 'native/build/Release');
  const prebuilds = join(native, `prebuilds/${process.platform}-${process.arch}`);
  mkdirSync(prebuilds, { recursive: true });
  const file = existsSync(addon) ? readdirSync(addon).find((name) => name.endsWith('.node')) : '';
  if (file) cpSync(join(addon, file), join(prebuilds, 'node.napi.node'));
  const packed = [native, join(ROOT, 'node_modules/node-gyp-build')].map((from) => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, from];
    const output = execFileSync('npm', args, { encoding: 'utf8' });
    const [{ filename }] = Object.values(JSON.parse(output.slice(output.search(/[[{]/)))) as [
      { filename: string },
    ];
    const { name, version, dependencies } = readManifest(from);
    const tarball = join(folder, filename.replace('@', '').replace('/', '-'));
    return { manifest: { name, version, dependencies }, tarball };
  });
  const registry = await startRegistry(packed);
  onTestFinished(() => registry.close());
  return /registry=(.*)$/.exec(registry.npmrc)![1]!;
}

test('the Dockerfile builds, and its last stage runs, drains, and needs nothing else', async () => {
  const folder = temporaryFolder();
  const context = join(folder, 'context');
  mkdirSync(context);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    npm_config_registry: await packageRegistry(folder),
    npm_config_cache: join(folder, 'cache'),
  };
  const workspace = await added('koa');
  workspace.create('/package-lock.json', '{}');
  workspace.create('/.npmrc', '');
  const { after } = await deployTo('docker', 'koa', workspace);
  const dockerfile = after.readText('/Dockerfile');
  // npm's settings are a build secret; the rest of the Dockerfile is the one on the page.
  expect(dockerfile.replace(/--mount=\S+ /, '')).toBe(fileShownIn('docker.md', 'Dockerfile'));
  writeFileSync(join(context, '.dockerignore'), after.readText('/.dockerignore'));
  // What stays out of all layers, in the root and below it.
  for (const place of ['', 'packages/a/']) {
    for (const file of ['.npmrc', '.env', '.env.production', 'node_modules/x.js', '.git/config']) {
      mkdirSync(dirname(join(context, place + file)), { recursive: true });
      writeFileSync(join(context, place + file), 'secret=1');
    }
  }
  // In place of `ng build`, which takes a minute.
  const build = `const { cpSync } = require('fs'); cpSync(${JSON.stringify(packedBuild())}, 'dist/shop', { recursive: true })`;
  writeFileSync(join(context, 'build.cjs'), build);
  const manifest = {
    name: 'shop',
    private: true,
    scripts: { build: 'node build.cjs' },
    dependencies: { '@ng-ssr/etag': '*' },
  };
  writeFileSync(join(context, 'package.json'), JSON.stringify(manifest));
  // The registry is in this process.
  await promisify(execFile)('npm', ['install', '--package-lock-only'], { cwd: context, env });

  // npm fails without its settings: the lock file has the address of the registry, and not its token.
  const { npm_config_registry: registry, ...noRegistry } = env;
  writeFileSync(join(context, '.npmrc'), `registry=${registry}\n`);
  const stages = join(folder, 'stages');
  const image = await runDockerfile(dockerfile, context, stages, noRegistry, {
    npmrc: join(context, '.npmrc'),
  });
  const copied = readdirSync(stages, { recursive: true, encoding: 'utf8' });
  expect(copied).toContain('build/app/packages/a');
  expect(copied.filter((path) => /\.npmrc|\.env|\.git\b|node_modules\/x\.js/.test(path))).toEqual(
    [],
  );
  expect(image.user).toBe('node');
  expect(readdirSync(image.cwd).toSorted()).toEqual(['dist', 'node_modules']);

  const port = await freePort();
  const [program, ...parameters] = image.command;
  const running = { ...image.env, PORT: String(port), NG_ALLOWED_HOSTS: '127.0.0.1' };
  const server = await DeployedServer.start({
    command: [program!, ...parameters],
    cwd: image.cwd,
    env: running,
    origin: `http://127.0.0.1:${port}`,
    user: USERS[image.user!],
  });
  await expectPages(askOver(server.origin));
  expect(server.said).not.toContain('NG_SSR_ADDON_UNAVAILABLE');

  const check = () => {
    const [command, ...args] = image.health;
    noteRun({ started: 'HEALTHCHECK' });
    return spawnSync(command!, args, { cwd: image.cwd, env: { ...process.env, ...running } })
      .status;
  };
  expect(check()).toBe(0);
  let code: number | null | undefined;
  const load = await underLoad(port, async () => (code = await server.drain()));
  expect(code).toBe(0);
  // New connections are refused, or reset by the kernel, which had not yet passed them on.
  const isKernels = /refused$|ECONNRESET on a new connection$/;
  expect(load.failures.filter((failure) => !isKernels.test(failure))).toEqual([]);
  expect(check()).toBe(1);
});
