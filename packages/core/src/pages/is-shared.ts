import type { KeyMaker } from './key/cache-key.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { Tier } from './tier.ts';

/** Whether other processes find the page of a request in the tier. */
export async function isShared(
  tier: Tier | undefined,
  keys: KeyMaker,
  parsed: ParsedRequest,
): Promise<boolean> {
  const key = keys.primaryKey(parsed);
  const variantKeyOf = (names: readonly string[]): string =>
    keys.variantKey(key, names, parsed.exchange);
  return (await tier?.find(key, variantKeyOf, () => 0)) !== undefined;
}
