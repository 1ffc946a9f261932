import MiniSearch from 'minisearch';
import { FIELDS, type SearchEntry } from '../../src/app/search/search-entry.ts';
import type { Page, Section } from '../contents/page.ts';
import { SYNONYMS } from './synonyms.ts';

/** The index of the search, as JSON: an entry for each heading of each page. */
export function makeIndex(sections: readonly Section<Page>[]): string {
  const entries = sections.flatMap(({ title, pages }) =>
    pages.flatMap((page) => toEntries(page, title)),
  );
  const ids = new Set(entries.map(({ id }) => id));
  const unknown = Object.keys(SYNONYMS).filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`synonyms of no page: ${unknown.join(', ')}`);
  const index = new MiniSearch<SearchEntry>(FIELDS);
  index.addAll(entries);
  return JSON.stringify(index);
}

function toEntries(page: Page, section: string): readonly SearchEntry[] {
  // Of the API its names are enough: its texts would make most of the index.
  const isReference = page.file === undefined;
  return page.passages.map(({ id, heading, text, code }) => {
    const address = id === '' ? `/${page.path}` : `/${page.path}#${id}`;
    return {
      id: address,
      section,
      title: page.title,
      heading,
      text: isReference ? '' : text,
      code: isReference ? '' : code,
      synonyms: SYNONYMS[address] ?? '',
    };
  });
}
