import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Bar } from '../../src/app/benchmarks/chart.ts';
import { generated } from '../repository.ts';
import type { Page, Section } from '../contents/page.ts';
import { toContentsHtml } from './contents-html.ts';

/** A page with what its route needs beside the usual. */
export interface ModulePage {
  readonly page: Page;
  readonly type: 'PageContent' | 'PartedContent' | 'HomeContent' | 'BenchmarksContent';
  /** In place of the article's HTML. */
  readonly more?: object;
}

const content = join(generated, 'content');
const source = join(generated, '../src/app');

/** One module per page, loaded when it is shown, and the list of all pages. */
export function writeModules(
  sections: readonly Section<Page>[],
  pages: readonly ModulePage[],
  bars: Readonly<Record<string, readonly Bar[]>>,
): void {
  const order = pages.map(({ page }) => page);
  for (const page of pages) writePage(page, order);
  const list = pages.map(({ page: { path, title } }) => {
    const entry = JSON.stringify({ path, title }).slice(0, -1);
    return `  ${entry},"load":()=>import('./${moduleOf(path)}').then((m)=>m.page)},`;
  });
  write('pages.ts', ['export const pages = [', ...list, '];', '']);
  write('bars.ts', [
    `import type { Bar } from '${relative(content, join(source, 'benchmarks/chart'))}';`,
    `export const bars: Readonly<Record<string, readonly Bar[]>> = ${JSON.stringify(bars)};`,
    '',
  ]);
  write('contents-html.ts', [
    `export const contentsHtml = ${JSON.stringify(toContentsHtml(sections))};`,
    '',
  ]);
}

function writePage({ page, type, more }: ModulePage, order: readonly Page[]): void {
  const { path, title, description, html, headings, file } = page;
  const at = order.indexOf(page);
  const [previous, next] = [order[at - 1], order[at + 1]].map((one) => one && toLink(one));
  const article = more ?? { html };
  const value = { path, title, description, headings, file, previous, next, ...article };
  const name = `${moduleOf(path)}.ts`;
  write(name, [
    `import type { ${type} } from '${toSource(name)}';`,
    `export const page: ${type} = ${JSON.stringify(value)};`,
    '',
  ]);
}

function toLink({ path, title }: Page): { readonly path: string; readonly title: string } {
  return { path, title };
}

function moduleOf(path: string): string {
  return `pages/${path === '' ? 'home' : `at/${path}`}`;
}

function toSource(name: string): string {
  return relative(dirname(join(content, name)), join(source, 'content/page-content'));
}

function write(name: string, lines: readonly string[]): void {
  const file = join(content, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n'));
}
