import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readErrorCodes, readRefusals } from '../docs/error-entries.ts';
import { generatedPages, root } from '../docs/generated-pages.ts';
import { OPTION_GUIDES } from '../docs/option-guides.ts';
import { readOptions } from '../docs/options-page.ts';

const pages = await generatedPages();

test.each([...pages.keys()])('%s is as npm run docs:generate writes it', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(pages.get(path));
});

test('each error says when it happens and what to do, and has an example', () => {
  const codes = readErrorCodes(join(root, 'packages/core/src/error-codes.ts'));
  const refusals = readRefusals(join(root, 'packages/schematics/src/refusal.ts'));
  const entries = [...codes.flatMap((section) => section.entries), ...refusals];
  const incomplete = entries.filter(
    ({ when, advice, example }) => when === '' || advice === '' || example === '',
  );
  expect(incomplete.map(({ code }) => code)).toEqual([]);
});

const options = [...readOptions(root).values()].flat().flatMap(({ rows }) => rows);

test('each option says what it means, and its default unless it is required', () => {
  const incomplete = options.filter(
    (option) => option.meaning === '' || option.default === undefined,
  );
  expect(incomplete.map(({ path }) => path)).toEqual([]);
  // A comment may state its default in a way that is not read.
  expect(options.filter(({ meaning }) => /\bdefault(:| \d)/i.test(meaning))).toEqual([]);
});

test('each guide belongs to an option', () => {
  const paths = new Set(options.map(({ path }) => path));
  expect(Object.keys(OPTION_GUIDES).filter((path) => !paths.has(path))).toEqual([]);
});
