import type { Exchange } from '../exchange.ts';

/** What a client waits for, and whether it has left meanwhile. */
export async function waitFor<T>(
  client: Exchange,
  run: () => Promise<T>,
): Promise<readonly [result: T, hasLeft: boolean]> {
  let hasLeft = false;
  const ignore = client.onDisconnect?.(() => (hasLeft = true));
  const result = await run();
  ignore?.();
  return [result, hasLeft];
}
