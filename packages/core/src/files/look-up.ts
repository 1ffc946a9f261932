import { canonicalPath, pathOf } from '../http/target.ts';

/**
 * The entry of a target's path, in whatever spelling of its escapes.
 *
 * @param site - Stands in front of the path in the map.
 */
export function lookUp<T>(map: ReadonlyMap<string, T>, target: string, site = ''): T | undefined {
  const path = pathOf(target);
  const entry = map.get(site === '' ? path : site + path);
  if (entry !== undefined || map.size === 0) return entry;
  const canonical = canonicalPath(path);
  return canonical === undefined || canonical === path ? undefined : map.get(site + canonical);
}
