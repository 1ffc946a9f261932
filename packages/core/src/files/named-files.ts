/** How many files a notice names: a build can have ten thousand. */
const NAMED = 5;

/** The first names of a list, and how many more there are. */
export function namedFiles(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
