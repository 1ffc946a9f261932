import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { putBetweenMarks } from '../src/report/between-marks.ts';
import { PUBLISHED } from '../src/report/publish.ts';
import { readNewest } from '../src/report/results.ts';

const root = join(import.meta.dirname, '../..');

it.each(PUBLISHED)('$file has the newest results of the machine that it names', async (page) => {
  const text = readFileSync(join(root, page.file), 'utf8');
  const machine = /bench\/results\/([^/]+)\/browser-page\.svg/.exec(text)?.[1];
  const newest = readNewest(machine);
  expect(newest?.isQuick).toBe(false);
  expect(await putBetweenMarks(text, page.toPart(newest!))).toBe(text);
});

it('refuses a page without marks', async () => {
  await expect(putBetweenMarks('# Page', 'part')).rejects.toThrow('bench:begin');
});

it('replaces what is between the marks, and nothing else', async () => {
  const page = '# Page\n\n<!-- bench:begin -->\n\nold\n\n<!-- bench:end -->\n\nrest\n';
  expect(await putBetweenMarks(page, 'new')).toBe(page.replace('old', 'new'));
});
