import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SERVER = `
import { appEngine, createNodeSsrServer } from '@ng-ssr/node';
createNodeSsrServer({ engine: appEngine(), allowedHosts: ['localhost'] });`;

/** Starts a program beside these packages, as a user does who has not built the application. */
function start(name: string, source: string): { readonly status: number | null; text: string } {
  const folder = mkdtempSync(join(import.meta.dirname, 'unbuilt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), source);
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

test.each([
  ['node server.mjs', 'server.mjs', SERVER],
  ['require()', 'program.cjs', `require('@ng-ssr/node');`],
])('%s without a build names the command to run', (_what, name, source) => {
  const { status, text } = start(name, source);
  expect(status).toBe(1);
  expect(text).toContain('NG_SSR_ENGINE_NOT_BUILT');
  expect(text).toContain('npx ng build');
  expect(text).not.toContain('JIT');
});

test('with a Node that is too old, one line names its version and those that are supported', () => {
  const { status, text } = start(
    'server.mjs',
    `delete process.getBuiltinModule; await import('@ng-ssr/node/server');`,
  );
  expect(status).toBe(1);
  expect(text).toMatch(
    /^ng-ssr: NG_SSR_PLATFORM_INVALID: this is Node\.js v\d+\S+; supported: 20\.16 and later\. .*\(https:\S+\)\n$/,
  );
});

test('a program with the JIT compiler starts without a build', () => {
  const { text } = start('server.mjs', `import '@angular/compiler';${SERVER}`);
  expect(text).not.toContain('JIT');
  expect(text).not.toContain('without a build');
});
