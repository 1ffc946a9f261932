/** The dictionaries that one page is encoded against at a time: as many as pages are dictionaries of others, and more. */
const MOST_OF_ONE_PAGE = 16;
/** An encoding is kept where it saves this share of the best one without a dictionary. */
const WORTHWHILE = 0.9;

/** Whether an encoding against a dictionary is worth its memory. */
export function isWorthwhile(
  { byteLength }: Uint8Array,
  unencoded: Uint8Array,
  others: Iterable<number>,
): boolean {
  return byteLength <= Math.min(unencoded.byteLength, ...others) * WORTHWHILE;
}

/** The oldest dictionaries of a page, which make room for another one. */
export function superfluous(withDictionary: ReadonlyMap<string, unknown>): readonly string[] {
  const excess = withDictionary.size - MOST_OF_ONE_PAGE;
  return excess <= 0 ? [] : [...withDictionary.keys()].slice(0, excess);
}
