import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ngSsr } from './ng-ssr.ts';
import { makeRoot, writeSite } from './doctor-site.ts';
import { listFiles } from '../src/doctor/facts/list-files.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ng-ssr-list-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('links are followed in the folder only, and never in circles', () => {
  const root = folder();
  const outside = folder();
  writeFileSync(join(outside, 'secret.html'), 'ng-server-context="ssg"');
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/file.js'), 'abc');
  symlinkSync(join(root, 'a/b/file.js'), join(root, 'again.js'));
  symlinkSync(join(root, 'a/b'), join(root, 'linked'));
  symlinkSync(root, join(root, 'a/b/circle'));
  symlinkSync(join(root, 'linked'), join(root, 'a/linked-again'));
  symlinkSync(outside, join(root, 'away'));
  symlinkSync(join(outside, 'secret.html'), join(root, 'away.html'));
  symlinkSync(join(root, 'nowhere'), join(root, 'nowhere'));
  const paths = listFiles(root).map(({ path }) => path);
  expect(paths.toSorted()).toEqual([
    '/a/b/file.js',
    '/a/linked-again/file.js',
    '/again.js',
    '/linked/file.js',
  ]);
  expect(listFiles(join(root, 'none'))).toEqual([]);
});

test('doctor leaves files outside of the build alone, and prints no escape sequence of a name', async () => {
  const root = await makeRoot();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const hostile = 'a\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\n\x1b[31merror    hosts-any.html';
  const page = `<app-root ng-server-context="ssg">${'words '.repeat(100)}</app-root>`;
  const workspace = writeSite(root, {
    options: 'files: { folder: `${import.meta.dirname}/../browser`, maxFileBytes: 500 },',
    files: { [`dist/shop/browser/${hostile}`]: page },
  });
  const browser = join(workspace, 'dist/shop/browser');
  const outside = folder();
  writeFileSync(join(outside, 'outside.html'), page);
  symlinkSync(outside, join(browser, 'away'));
  symlinkSync(browser, join(browser, 'circle'));
  const env = { NODE_ENV: 'production' };
  for (const args of [[], ['--json']]) {
    const { stdout } = ngSsr(['doctor', 'dist/shop', ...args], env, workspace);
    expect(stdout).toContain('pages-not-held');
    expect(stdout).toContain('owned');
    expect(stdout).not.toMatch(/outside|circle/);
    expect(stdout.match(/[^\n\P{C}]|[\p{Zl}\p{Zp}]/u)).toBeNull();
    expect(stdout).not.toMatch(/^error/m);
  }
});
