import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const reports = join(import.meta.dirname, '../api/reports.mjs');
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-api-reports-'));

beforeAll(() => {
  mkdirSync(join(folder, 'dist'));
  mkdirSync(join(folder, 'api'));
  const exports = { '.': { types: './dist/index.d.ts' }, './more': { types: './dist/more.d.ts' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'some-package', exports }));
  writeFileSync(join(folder, 'api/gone.api.md'), 'The report of an entry that is gone.\n');
  declare(
    `export interface Page {\n  /** What it has. */\n  readonly status: number;\n}\n`,
    `import type { Page } from './index.js';\nexport declare function render(): Page;\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function declare(index: string, more: string): void {
  writeFileSync(join(folder, 'dist/index.d.ts'), index);
  writeFileSync(join(folder, 'dist/more.d.ts'), more);
}

function compare(...args: readonly string[]): { status: number | null; output: string } {
  const run = spawnSync(process.execPath, [reports, ...args], { encoding: 'utf8' });
  return { status: run.status, output: run.stdout + run.stderr };
}

test('the public API of every package is that of its reports', () => {
  const { status, output } = compare();
  expect(output).toBe('');
  expect(status).toBe(0);
});

test('a change is shown with the command that accepts it, and accepted by it', () => {
  expect(compare('--update', folder).status).toBe(0);
  expect(readFileSync(join(folder, 'api/index.api.md'), 'utf8')).toContain('status: number');

  declare(
    `export interface Page {\n  /** Another text. */\n  readonly status: number;\n}\n`,
    `import type { Page } from './index.js';\nexport declare function render(path: string): Page;\n`,
  );
  const { status, output } = compare(folder);
  expect(status).toBe(1);
  expect(output).toContain('-export function render(): Page;');
  expect(output).toContain('+export function render(path: string): Page;');
  expect(output).toContain('npm run api -- --update');
  // What says nothing about the API, and what the update has removed.
  expect(output).not.toMatch(/index\.api\.md|gone\.api\.md/);
});

test('a type that is used and that no entry exports is a failure, also of an update', () => {
  const page = 'interface Page {\n  readonly status: number;\n}\n';
  declare(`export {};\n`, `${page}export declare function render(): Page;\nexport {};\n`);
  const { status, output } = compare('--update', folder);
  expect(status).toBe(1);
  expect(output).toContain('some-package: the API uses Page, which no entry exports (more.api.md)');
});
