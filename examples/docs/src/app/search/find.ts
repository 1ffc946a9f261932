import type { default as MiniSearch, SearchResult } from 'minisearch';

export interface Found {
  /** Its address: `/caching#the-key`. */
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly heading: string;
}

const MOST = 12;
/** Without it, the headings of one page fill the list. */
const MOST_OF_PAGE = 5;

/**
 * The best entries for some words: those of the API after the others, and words that are only alike last. If no entry has
 * all words, entries with some of them.
 */
export function find<Entry>(index: MiniSearch<Entry>, words: string): readonly Found[] {
  const withAll = index.search(words);
  const results = withAll.length > 0 ? withAll : index.search(words, { combineWith: 'OR' });
  const rank = (result: SearchResult): number =>
    (hasTypedWords(result) ? 0 : 2) + (result['section'] === 'API' ? 1 : 0);
  const ofPage = new Map<string, number>();
  return [...results]
    .sort((a, b) => rank(a) - rank(b))
    .filter(({ id }) => {
      const page = String(id).split('#', 1)[0]!;
      const count = (ofPage.get(page) ?? 0) + 1;
      ofPage.set(page, count);
      return count <= MOST_OF_PAGE;
    })
    .slice(0, MOST)
    .map(({ id, ...rest }) => ({ ...(rest as unknown as Found), id: String(id) }));
}

/** Whether it has a word that begins as each of the typed ones, without a letter changed. */
function hasTypedWords({ queryTerms, terms }: SearchResult): boolean {
  return queryTerms.every((typed) => terms.some((term) => term.startsWith(typed)));
}
