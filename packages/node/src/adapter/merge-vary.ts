import { addVary } from '@ng-ssr/core/adapter';

/** The union of an existing Vary header and an answer's own. */
export function mergeVary(
  present: number | string | readonly string[] | undefined,
  own: string,
): string {
  if (present === undefined) return own;
  let merged = typeof present === 'object' ? present.join(', ') : String(present);
  for (const name of own.split(',')) merged = addVary(merged, name.trim());
  return merged;
}
