import { type Directives, readDirectives } from './cache-control.ts';

/**
 * Reads a CDN-Cache-Control value (RFC 9213 section 2.1): a dictionary of RFC 9651, of which cache
 * directives use whole numbers, booleans, tokens and strings.
 *
 * @returns undefined when the value is empty or malformed: it then counts as absent (section 2.2).
 */
export function readTargeted(value: string): Directives | undefined {
  const directives = new Map<string, string | true>();
  for (const [name, argument] of readDirectives(value)) {
    if (!KEY.test(name)) return undefined;
    const bare = argument === true ? true : argument.split(';')[0]!.trim();
    // A boolean: `?0` says that the directive does not apply.
    if (bare === '?0') continue;
    if (bare === true || bare === '?1') directives.set(name, true);
    else if (INTEGER.test(bare) || TOKEN.test(bare)) directives.set(name, bare);
    else return undefined;
  }
  return directives.size === 0 ? undefined : directives;
}

const KEY = /^[a-z*][a-z0-9_.*-]*$/;
const INTEGER = /^-?\d{1,15}$/;
const TOKEN = /^[a-z*][\w!#$%&'*+.^`|~:/-]*$/i;
