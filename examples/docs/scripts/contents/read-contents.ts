import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReference } from '../reference/read-reference.ts';
import { root } from '../repository.ts';
import type { Section, SourcePage } from './page.ts';

interface Listed {
  readonly title: string;
  /** Files below docs/. */
  readonly pages: readonly string[];
}

/** All pages of the site but the home page, in the order of docs/contents.json; packages and their API last. */
export async function readContents(): Promise<readonly Section<SourcePage>[]> {
  const listed = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8')) as Listed[];
  return [
    ...listed.map(({ title, pages }) => ({
      title,
      pages: pages.map((page) => readPage(`docs/${page}`)),
    })),
    {
      title: 'Packages',
      pages: globSync('packages/*/README.md', { cwd: root }).sort().map(readPage),
    },
    { title: 'API', pages: await readReference() },
  ];
}

/** README.md is the home page. */
export function readPage(file: string): SourcePage {
  return { path: toPath(file), file, markdown: readFileSync(join(root, file), 'utf8') };
}

/** The route of a file: `docs/deploy/README.md` is at `deploy`. */
function toPath(file: string): string {
  return file.replace(/^docs\//, '').replace(/(^|\/)README\.md$|\.md$/, '');
}
