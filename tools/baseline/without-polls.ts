import type { StableTurn } from './stable-turns.ts';
import { withoutEncoding } from './without-encoding.ts';

/**
 * Of equal requests in a row whose responses differ in their encoding alone, the last one: a case polls a page
 * until it is compressed, and how often depends on the machine. A miss and the hit after it are both kept.
 */
export function withoutPolls(turns: readonly StableTurn[]): readonly StableTurn[] {
  return turns.filter((turn, at) => {
    const next = turns[at + 1];
    return next === undefined || !isPolledBy(turn, next);
  });
}

function isPolledBy(turn: StableTurn, next: StableTurn): boolean {
  return turn.sent === next.sent && keyOf(turn) === keyOf(next);
}

function keyOf({ received }: StableTurn): string {
  return JSON.stringify(received.map(withoutEncoding));
}
