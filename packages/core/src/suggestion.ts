/**
 * Finds what was probably meant.
 *
 * @returns the known name that differs least from the given one: by at most half as many letters as it has; undefined
 * when there is none.
 */
export function suggestionFor(given: string, known: readonly string[]): string | undefined {
  const ranked = known
    // Letters in the other case are the most common mistake.
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= given.length / 2 ? best.name : undefined;
}

/** Levenshtein's distance: letters to insert, remove or replace. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
