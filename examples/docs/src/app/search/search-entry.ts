import type { Options } from 'minisearch';

/** What the search finds: a heading and the text below it. */
export interface SearchEntry {
  /** Its address: `/caching#the-key`. */
  readonly id: string;
  /** The part of the contents that the page is in. */
  readonly section: string;
  /** The page's title. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly code: string;
  /** What readers search for where the page has other words: `isr`. */
  readonly synonyms: string;
}

/** How the index is made and read; both have to be alike. */
export const FIELDS: Options<SearchEntry> = {
  fields: ['title', 'heading', 'synonyms', 'text', 'code'],
  storeFields: ['section', 'title', 'heading'],
  searchOptions: {
    boost: { synonyms: 20, heading: 4, title: 3, code: 0.5 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};
