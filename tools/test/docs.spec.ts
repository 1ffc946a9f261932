import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { brokenLinks } from './markdown/broken-links.ts';
import { readMarkdown } from './markdown/markdown-page.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

interface Section {
  readonly title: string;
  readonly pages: readonly string[];
}

it('the contents of the documentation list each page once', () => {
  const sections = JSON.parse(read('docs/contents.json')) as readonly Section[];
  const listed = sections.flatMap(({ pages }) => pages);
  const pages = files.filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
  expect(listed.toSorted()).toEqual(pages.map((path) => path.slice('docs/'.length)).toSorted());
  expect(sections.filter(({ title, pages: of }) => title === '' || of.length === 0)).toEqual([]);
});

it('each page of the documentation has one title', () => {
  const pages = files.filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
  const others = pages.filter((path) => readMarkdown(read(path)).titles.length !== 1);
  expect(others).toEqual([]);
});

it('each relative link of each Markdown file leads to a file and a heading', () => {
  expect(brokenLinks(files, read)).toEqual([]);
});

it('README.md is read in a few minutes', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

it('the prose check leaves out only files that exist', () => {
  const lines = read('.textlintignore').split('\n');
  const left = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(left.filter((path) => !files.includes(path))).toEqual([]);
});
