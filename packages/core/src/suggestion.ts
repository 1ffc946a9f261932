/**
 * Finds what was probably meant.
 *
 * @returns the known name that differs least from the given one: by at most half as many edits as it has letters; undefined
 * when there is none.
 */
export function suggestionFor(given: string, known: readonly string[]): string | undefined {
  // Letters in the other case are the most common mistake.
  const written = given.toLowerCase();
  const ranked = known
    .map((name) => ({ name, edits: editsBetween(written, name.toLowerCase()) }))
    // Of two, the one whose end was forgotten.
    .toSorted((a, b) => a.edits - b.edits || Number(begins(b.name)) - Number(begins(a.name)));
  const [best] = ranked;
  return best !== undefined && best.edits <= given.length / 2 ? best.name : undefined;

  function begins(name: string): boolean {
    return name.toLowerCase().startsWith(written);
  }
}

/** Letters to insert, remove or replace, and pairs of neighbours to exchange (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const areExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = areExchanged ? before[j - 2]! + 1 : replaced;
      next.push(Math.min(replaced, exchanged, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
