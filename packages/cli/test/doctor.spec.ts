import { existsSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { PACK_FOLDER } from '@ng-ssr/core/pack';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRoot, writeSite } from './doctor-site.ts';
import { ngSsr } from './ng-ssr.ts';

let root: string;
beforeAll(async () => {
  root = await makeRoot();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const doctor = (workspace: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  ngSsr(['doctor', ...args], { NODE_ENV: 'production', FORCE_COLOR: '1', ...env }, workspace);

test('nothing is listened to, published, rendered or written', async () => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const workspace = writeSite(root, {
    options: `features: [
        withOldBuilds({ folder: 'builds' }),
        withPrewarm({ paths: ['/a'], origin: 'https://shop.example' }),
        withRenderThreads({ threads: 1 }),
        withServerThreads({ threads: 2 }),
      ],
      engine: () => { process.exit(9); },`,
    listen: `{ port: ${port} }`,
  });
  const { status, stdout } = doctor(workspace, ['dist/shop']);
  other.close();
  expect(stdout).toMatch(/\n0 errors, \d warnings?, \d notes?\.\n$/);
  expect(status).toBe(0);
  expect(existsSync(join(workspace, 'builds'))).toBe(false);
});

test('errors end with 1, and with --strict warnings do; --json is for programs', () => {
  const workspace = writeSite(root, {
    options: "allowedHosts: ['*'], errorDetails: process.env.DETAILS === '1',",
    files: { 'angular.json': ANGULAR_JSON },
  });
  expect(doctor(workspace, ['--strict']).status).toBe(1);
  const { status, stdout, stderr } = doctor(workspace, ['--json'], { DETAILS: '1' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  const { outputPath, findings } = JSON.parse(stdout) as {
    outputPath: string;
    findings: readonly Readonly<Record<string, string>>[];
  };
  expect(outputPath).toBe('dist/shop');
  expect(findings.slice(0, 2).map(({ id, severity }) => [id, severity])).toEqual([
    ['error-details', 'error'],
    ['hosts-any', 'warning'],
  ]);
  expect(findings[0]!['see']).toMatch(/^https:.*\/docs\/doctor\.md#error-details$/);
});

test('--no-start does not run the program', () => {
  const workspace = writeSite(root, { before: 'throw new Error("started");' });
  expect(doctor(workspace, ['dist/shop', '--no-start'])).toMatchObject({ status: 0, stderr: '' });
});

test('a project is named beside its output path, and needs an angular.json', () => {
  const args = ['dist/shop', '--no-start', '--project', 'shop'];
  const workspace = writeSite(root, { files: { 'angular.json': ANGULAR_JSON } });
  expect(doctor(workspace, args)).toMatchObject({ status: 0, stderr: '' });
  const { status, stderr } = doctor(writeSite(root, {}), args);
  expect(status).toBe(2);
  expect(stderr).toContain('--project is "shop"; no angular.json with a server was found above');
});

test('a command to copy has the folder as a word of a shell', () => {
  const workspace = writeSite(root, {});
  const folder = "dist/the shop's";
  renameSync(join(workspace, 'dist/shop'), join(workspace, folder));
  rmSync(join(workspace, folder, PACK_FOLDER), { recursive: true });
  const { stdout } = doctor(workspace, [folder, '--no-start']);
  expect(stdout).toContain(`npx ng-ssr pack '${workspace}/dist/the shop'\\''s'`);
});

test('a report without a terminal has no colors', () => {
  const { stdout } = doctor(writeSite(root, {}), ['dist/shop', '--no-start']);
  expect(stdout).toContain('ng-ssr doctor: dist/shop\n');
  expect(stdout).not.toContain('\x1b');
});

test.each([
  [['a', 'b'], 2, 'pass one output path only, not also b'],
  [
    ['dist/shop', '--render', 'product'],
    2,
    '--render is "product"; allowed: a path that starts with "/"',
  ],
  [['dist/shop', '--timeout', 'soon'], 2, '--timeout is "soon"'],
  [['--project', 'blog'], 2, '--project is "blog"; allowed: shop'],
  [['dist/shop', '--project', 'blog'], 2, '--project is "blog"; allowed: shop'],
  [['dist/shop/browser'], 1, 'Pass the folder above it: ng-ssr doctor '],
  [['dist/nowhere'], 1, 'NG_SSR_BROWSER_FOLDER_MISSING: '],
])('%j ends with %i', (args, code, message) => {
  const workspace = writeSite(root, { files: { 'angular.json': ANGULAR_JSON } });
  const { status, stdout, stderr } = doctor(workspace, args);
  expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  expect(stderr).toContain(message);
});

const ANGULAR_JSON = JSON.stringify({
  projects: {
    shop: { architect: { build: { options: { outputPath: { base: 'dist/shop' }, ssr: true } } } },
    library: { architect: { build: { options: {} } } },
  },
});
