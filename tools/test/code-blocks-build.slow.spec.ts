import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newWorkspace } from '../../packages/schematics/test/workspace.ts';
import { readCodeBlocks } from '../docs/code-blocks/read-code-blocks.ts';
import { serverFiles } from '../docs/code-blocks/server-files.ts';

const root = join(import.meta.dirname, '../..');
const pages = execFileSync('git', ['ls-files', 'README.md', 'docs', 'packages/*/README.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  // The conformance suite is for authors of adapters.
  .filter((path) => path.endsWith('.md') && !path.startsWith('packages/conformance/'));

/** What a build needs of this process's environment; no secret of a server. */
const { PATH, HOME } = process.env;

test(
  'ng build runs the servers of all pages without their variables',
  { timeout: 300_000 },
  async () => {
    const blocks = pages
      .flatMap((page) => readCodeBlocks(page, readFileSync(join(root, page), 'utf8')))
      .filter(({ language, notCompiled }) => language === 'ts' && !notCompiled);
    const files = serverFiles(blocks, join(root, 'tools/docs/preludes'));
    const workspace = await newWorkspace({ ssr: true });
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-snippets-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (path: string, text: string | Buffer): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    workspace.visit((path) => write(path, workspace.read(path)!));
    for (const [path, text] of Object.entries(files)) write(join('src', path), text);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

    const ng = join(root, 'node_modules/@angular/cli/bin/ng.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [ng, 'build'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, HOME, NG_CLI_ANALYTICS: 'false', NG_BUILD_CACHE: '0' },
    });
    expect(`${stdout}${stderr}`).toMatch(/Prerendered 1 static route/);
    expect(status).toBe(0);
    expect(Object.keys(files).length).toBeGreaterThan(50);
  },
);
