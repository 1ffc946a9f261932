import MiniSearch from 'minisearch';
import { FIELDS, type SearchEntry } from '../../src/app/search/search-entry.ts';
import type { Page, Section } from '../contents/page.ts';

/** The index of the search, as JSON: an entry for each heading of each page. */
export function makeIndex(sections: readonly Section<Page>[]): string {
  const index = new MiniSearch<SearchEntry>(FIELDS);
  for (const { title, pages } of sections)
    for (const page of pages) index.addAll(toEntries(page, title));
  return JSON.stringify(index);
}

function toEntries(page: Page, section: string): readonly SearchEntry[] {
  // Of the API its names are enough: its texts would make most of the index.
  const isReference = page.file === undefined;
  return page.passages.map(({ id, heading, text }) => ({
    id: id === '' ? `/${page.path}` : `/${page.path}#${id}`,
    section,
    title: page.title,
    heading,
    text: isReference ? '' : text,
  }));
}
