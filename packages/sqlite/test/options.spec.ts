import { execFileSync } from 'node:child_process';
import { sqlitePageStore, type SqlitePageStoreOptions } from '@ng-ssr/sqlite';
import { expect, test } from 'vitest';
import { LEAST_BYTES } from './store-file.ts';

const FILE = { file: 'pages.db', maxBytes: LEAST_BYTES };

const wrong: readonly [string, unknown, string][] = [
  ['options', undefined, 'sqlitePageStore() is missing; allowed: an object of options'],
  ['file', { maxBytes: LEAST_BYTES }, 'sqlitePageStore.file is missing'],
  ['file', { ...FILE, file: '' }, 'file is "" (string); allowed: the path of a file'],
  ['file', { ...FILE, file: ':memory:' }, 'file is ":memory:"'],
  ['file', { ...FILE, file: 'file:pages.db?mode=ro' }, 'file is "file:'],
  ['file', { ...FILE, file: 'a\0b' }, 'file is '],
  ['maxBytes', { file: 'pages.db' }, 'sqlitePageStore.maxBytes is missing'],
  ['maxBytes', { ...FILE, maxBytes: 1_000_000 }, 'a whole number of bytes, at least 16 MiB'],
  ['maxBytes', { ...FILE, maxBytes: '2GB' }, 'maxBytes is "2GB" (string)'],
  [
    'timeoutMs',
    { ...FILE, timeoutMs: 0 },
    'timeoutMs is 0 (number); allowed: a whole number from 1',
  ],
  ['maxEntryBytes', { ...FILE, maxEntryBytes: 0 }, 'maxEntryBytes is 0'],
  ['maxPagesPerPath', { ...FILE, maxPagesPerPath: 1.5 }, 'maxPagesPerPath is 1.5'],
  ['leaseMs', { ...FILE, leaseMs: Infinity }, 'leaseMs is Infinity'],
];

test.each(wrong)('%s: a wrong value is refused by name', (_name, options, message) => {
  const create = (): unknown => sqlitePageStore(options as SqlitePageStoreOptions);
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
});

test('an unknown option is refused', () => {
  const options = { ...FILE, path: 'pages.db' } as SqlitePageStoreOptions;
  expect(() => sqlitePageStore(options)).toThrow(
    expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
  );
});

test('a Node without node:sqlite is refused by its version', () => {
  const program = `import { sqlitePageStore } from '@ng-ssr/sqlite';
    try {
      sqlitePageStore(${JSON.stringify(FILE)});
    } catch ({ code, message }) {
      console.log(code + ': ' + message);
    }`;
  const args = ['--no-experimental-sqlite', '--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(output.trim()).toBe(
    `NG_SSR_STORE_UNAVAILABLE: sqlitePageStore needs node:sqlite, which Node has since 22.13: this is Node ${process.version}`,
  );
});
