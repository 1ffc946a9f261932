import type { Exchange } from '../../exchange.ts';
import type { RouteRuleOptions } from '../options/cache-options.ts';
import { ownExchange } from '../own-exchange.ts';

/** The server's own request for the page of a key: it has the headers in the key, and no others. */
export function exchangeOfKey(key: string, rule: RouteRuleOptions | undefined): Exchange {
  const [site, target, ...parts] = key.split('\n') as [string, string, ...string[]];
  const [origin, prefix] = site.split(' ') as [string, string?];
  const headers = new Map<string, string>();
  const add = (name: string, part = '-'): void => {
    if (part.startsWith('=')) headers.set(name, part.slice(1));
  };
  if (prefix !== undefined) headers.set('x-forwarded-prefix', prefix);
  // A part of the rule's `vary` is never empty: an empty one is followed by the headers of the page's own Vary.
  if (parts.length > 0 && parts[0] !== '') {
    const { cookies = [], headers: names = [] } = rule?.vary ?? {};
    const pairs = cookies.flatMap((name) => {
      const part = parts.shift()!;
      return part.startsWith('=') ? [name + part] : [];
    });
    if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
    for (const name of names) add(name, parts.shift());
  }
  for (let i = 1; i < parts.length; i += 2) add(parts[i]!, parts[i + 1]);
  return ownExchange(origin, target, headers);
}
