import type { ServerDescription } from '@ng-ssr/core/pack';
import { type FillMessage, type FillQuestion, MARK } from './probe-message.ts';

/**
 * Has pages in the server's page store, as the parent asks.
 *
 * @returns ends the program: waits for the pages that are being rendered, also if the parent was killed.
 */
export function answerFills({ close, fill }: ServerDescription): () => Promise<never> {
  const running = new Set<Promise<void>>();
  // The program stays as long as its parent asks.
  process.channel?.ref();
  const answer = async ({ id, url, changedAtMs }: FillQuestion & { id: number }): Promise<void> => {
    const told: FillMessage = await fill(url, changedAtMs).then(
      (filled) => ({ id, filled }),
      (error: unknown) => ({ id, error: error instanceof Error ? error.message : String(error) }),
    );
    // A parent that has been killed is noticed later than the end of its channel.
    process.send?.({ [MARK]: told }, undefined, undefined, () => undefined);
  };
  process.on('message', (message: Record<string, unknown>) => {
    if (!(MARK in message)) return;
    const answered = answer(message[MARK] as FillQuestion & { id: number });
    running.add(answered);
    void answered.finally(() => running.delete(answered));
  });
  return async () => {
    await Promise.all(running);
    // What could not be closed is reported.
    await close().catch(() => undefined);
    process.exit(0);
  };
}
