import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readErrorCodes, readRefusals } from '../docs/error-entries.ts';
import { generatedPages, root } from '../docs/generated-pages.ts';
import { COMMON_OPTIONS } from '../docs/common-options.ts';
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

const sections = [...readOptions(root)];
const options = sections.flatMap(([, tables]) => tables.flatMap(({ rows }) => rows));

test('each option says what it means, and its default unless it is required', () => {
  const incomplete = options.filter(
    (option) => option.meaning === '' || option.default === undefined,
  );
  expect(incomplete.map(({ path }) => path)).toEqual([]);
  // A comment may state its default in a way that is not read.
  expect(options.filter(({ meaning }) => /\bdefault(:| \d)/i.test(meaning))).toEqual([]);
});

test('each guide belongs to an option', () => {
  const paths = new Set(
    sections.flatMap(([{ prefix }, tables]) =>
      tables.flatMap(({ rows }) => rows.flatMap(({ path }) => [path, `${prefix}.${path}`])),
    ),
  );
  expect(Object.keys(OPTION_GUIDES).filter((path) => !paths.has(path))).toEqual([]);
});

test('each common option exists, and the page has each option once', () => {
  const known = sections.flatMap(([{ prefix }, tables]) => {
    const paths = tables.flatMap(({ rows }) => rows.map(({ path }) => path));
    return paths.map((path) => (prefix === '' ? path : `${prefix}.${path}`));
  });
  expect([...COMMON_OPTIONS].filter((path) => !known.includes(path))).toEqual([]);
  const headings = pages.get('docs/options.md')!.match(/^#{3,4} .*`$/gm);
  expect(headings).toHaveLength(options.length);
});

test('about ten options of servers are shown, the others folded', () => {
  const page = pages.get('docs/options.md')!;
  const server = page.slice(page.indexOf('## Server'), page.indexOf('\n## Express'));
  // Folded options contain folded ones.
  const innermost = /<details>(?:(?!<details>)[^])*?<\/details>/g;
  const shown = server.replaceAll(innermost, '').replaceAll(innermost, '');
  expect(shown.match(/^### /gm)).toHaveLength(10);
});
