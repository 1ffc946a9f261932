import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { readFolder } from '../../src/files/read-folder.ts';

test.skipIf(process.platform !== 'linux').each(['/proc', '/proc/self/task', '/sys'])(
  'files.folder %s is refused before its files are listed',
  (folder) => {
    const create = () => new SsrHandler({ engine: () => null, files: { folder } });
    expect(create).toThrow(`files.folder ${JSON.stringify(folder)} cannot be read: `);
    expect(create).toThrow(
      expect.objectContaining({
        code: 'NG_SSR_INDEX_FAILED',
        cause: new Error('it is a kernel folder'),
      }),
    );
  },
);

test('a folder with more files and folders than a build has is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['a.js', 'assets/b.js', 'assets/c.js']) writeFileSync(join(folder, name), '');
  expect(readFolder(folder, 4)).toHaveLength(3);
  expect(() => readFolder(folder, 3)).toThrow(
    expect.objectContaining({ cause: new Error('it has too many files and folders for a build') }),
  );
});
