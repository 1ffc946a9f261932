import { currentChain } from '../render/call-chain.ts';
import { INDEPENDENT } from '../render/provenance.ts';
import type { Rendered } from '../render/render-whole.ts';
import type { HeldPage } from './memory/held-page.ts';
import type { RouteRule } from './options/cache-options.ts';

/** Notes for a call in process that a stored page answers it. A purge may have made the page stale before its time. */
export function noteHeld({ page, staleAtMs }: HeldPage): void {
  currentChain()?.pages.push({ ...INDEPENDENT, tags: page.tags, freshUntilMs: staleAtMs });
}

/**
 * Notes for a call in process that a page answers it that was not stored, whatever lifetime its fields state. Whether it is
 * for one client alone, its fields say.
 */
export function noteRendered({ calls }: Rendered, rule: RouteRule | undefined): void {
  const tags = [...(rule?.tags ?? []), ...(calls?.provenance?.tags ?? [])];
  currentChain()?.pages.push({ ...INDEPENDENT, tags, freshUntilMs: 0 });
}
