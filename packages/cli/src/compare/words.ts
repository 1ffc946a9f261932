/** Ids, numbers, nonces and names in one piece, and what is between them. */
const WORD = /[\w+/=-]+|[^\w+/=-]+/g;

/** A page in words: a value that differs by its nature is one. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** The numbers of the words that differ; undefined if the pages have not the same number of words. */
export function differingWords(
  one: readonly string[],
  other: readonly string[],
): ReadonlySet<number> | undefined {
  if (one.length !== other.length) return undefined;
  const differing = new Set<number>();
  for (const [i, word] of one.entries()) if (word !== other[i]) differing.add(i);
  return differing;
}

/** A page without some of its words. */
export function withoutWords(words: readonly string[], left: ReadonlySet<number>): string {
  return words.map((word, i) => (left.has(i) ? '\0' : word)).join('');
}
