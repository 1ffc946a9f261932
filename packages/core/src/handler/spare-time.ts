import { setTimeout as wait } from 'node:timers/promises';
import { timesOf } from '../render/thread-times.ts';
import { utilisationBetween } from '../render/utilisation.ts';

/** Below this utilisation, the event loop has time to spare. */
const BUSY = 0.5;
/** How long the event loop is watched at a time. */
const WATCH_MS = 25;
/** A server that is never idle does its work all the same. */
const PATIENCE_MS = 1000;

/**
 * Resolves when the event loop of this thread is mostly idle, or after a second: work that only makes later
 * answers quicker must not delay the first ones.
 */
export async function spareTime(): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (let earlier = timesOf(), isBusy = true; isBusy && performance.now() < untilMs;) {
    await wait(WATCH_MS);
    const now = timesOf();
    isBusy = utilisationBetween(earlier, now) >= BUSY;
    earlier = now;
  }
}
