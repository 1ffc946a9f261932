import { SsrError } from '../errors.ts';
import { isOptionObject } from '../check-option.ts';
import { suggestionFor } from '../suggestion.ts';
import type { Purge } from '../purge.ts';

/**
 * Validates a purge.
 *
 * @throws SsrError `NG_SSR_PURGE_INVALID`
 */
export function checkPurge(purge: unknown): asserts purge is Purge {
  if (isPurge(purge)) return;
  throw new SsrError(
    'NG_SSR_PURGE_INVALID',
    `the purge is ${show(purge)}; allowed: exactly one of path, prefix and tag, as in { path: "/products/1" }, and ` +
      `hard: true or false. A path or prefix starts with "/" and has no query${adviceFor(purge)}`,
  );
}

const NAMES: readonly string[] = ['path', 'prefix', 'tag', 'hard'];

function adviceFor(purge: unknown): string {
  if (typeof purge === 'string') {
    const meant = purge.startsWith('/') ? { path: purge } : { tag: purge };
    return `. Did you mean ${show(meant)}?`;
  }
  for (const name of ['path', 'prefix'] as const) {
    const value = isOptionObject(purge) ? (purge as Record<string, unknown>)[name] : undefined;
    if (typeof value !== 'string') continue;
    const withSlash = { ...Object(purge), [name]: `/${value}` };
    if (isPurge(withSlash)) return `. Did you mean ${show(withSlash)}?`;
  }
  const unknown = isOptionObject(purge) ? Object.keys(purge) : [];
  const name = unknown.find((each) => !NAMES.includes(each));
  const meant = name === undefined ? undefined : suggestionFor(name, NAMES);
  return meant === undefined ? '' : `. Did you mean ${show(meant)}?`;
}

/** Whether a value names pages to be purged. */
export function isPurge(purge: unknown): purge is Purge {
  const { path, prefix, tag, hard, ...rest } = (purge ?? {}) as Record<string, unknown>;
  const given = [path, prefix, tag].filter((value) => value !== undefined);
  const isPath = (value: unknown): boolean => /^\/[^?#]*$/.test(String(value));
  return (
    given.length === 1 &&
    typeof given[0] === 'string' &&
    given[0] !== '' &&
    (tag !== undefined || isPath(given[0])) &&
    (hard === undefined || typeof hard === 'boolean') &&
    Object.keys(rest).length === 0
  );
}

function show(purge: unknown): string {
  try {
    return JSON.stringify(purge);
  } catch {
    // Nested too deep: String() of an array would go as deep.
    return `a value of type ${typeof purge}`;
  }
}
