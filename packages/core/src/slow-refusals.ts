import { unref } from './timers.ts';

/** How long a wrong token waits for its refusal. */
const DELAY_MS = 500;
/** How many refusals wait at a time; a further one lets the oldest go. */
const MOST_WAITING = 100;

/**
 * Slows guesses of the token: a wrong token waits, a right one never does, so guesses cannot lock the operator out. Against many
 * connections at a time the length of the token protects, not the delay.
 */
export class SlowRefusals {
  readonly #waiting = new Set<() => void>();

  async wait(): Promise<void> {
    const [oldest] = this.#waiting;
    if (this.#waiting.size >= MOST_WAITING) oldest?.();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = unref(setTimeout(end, DELAY_MS));
      this.#waiting.add(end);
    });
  }
}
