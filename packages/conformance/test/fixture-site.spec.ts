import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FIXTURE_MAX_FILE_BYTES, fixtureFiles } from '../src/fixture-content.ts';
import { createFixtureSite } from '../src/fixture-site.ts';

it('writes the site and removes it', async () => {
  const site = await createFixtureSite();
  const at = (path: string) => join(site.browserFolder, path);
  expect(await readFile(at('index.html'))).toEqual(site.read('index.html'));
  expect(site.read('index.html').toString()).toContain('ng-server-context="ssg"');
  expect((await lstat(at('link-outside'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(site.browserFolder, '..', 'secret.txt'), 'utf8')).toMatch(/nobody/);
  expect(() => site.read('absent')).toThrow(/"absent"/);
  await site.dispose();
  expect(existsSync(site.browserFolder)).toBe(false);
});

it('has the same bytes each time, in sizes that the cases rely on', () => {
  const [one, two] = [fixtureFiles(), fixtureFiles()];
  for (const [path, bytes] of one) expect(two.get(path)?.equals(bytes), path).toBe(true);
  const size = (path: string) => one.get(path)?.length ?? 0;
  expect(Math.round(size('index.html') / 1_000)).toBeGreaterThanOrEqual(68);
  expect(size('main-ABCDEFG2.js')).toBeGreaterThan(40_000);
  for (const large of ['assets/prices.csv', 'chunk-BIGFILE7.js']) {
    expect(size(large)).toBeGreaterThan(FIXTURE_MAX_FILE_BYTES);
  }
});
