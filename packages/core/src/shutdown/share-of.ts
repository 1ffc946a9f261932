import type { Drainable } from './graceful-shutdown.ts';

/** One server's share of a target. */
export interface Share extends Drainable {
  /** The server has ended in another way: its share no longer counts. */
  leave(): void;
}

/** How many servers of a target have not begun their shutdown, and how many have not ended. */
const counts = new WeakMap<Drainable, { serving: number; open: number }>();

/**
 * Creates one server's share of a target: the target is drained when the last server with a share begins its
 * shutdown, and closed when the last one has ended.
 */
export function shareOf(target: Drainable): Share {
  const count = counts.get(target) ?? { serving: 0, open: 0 };
  counts.set(target, count);
  count.serving++;
  count.open++;
  let isServing = true;
  let isOpen = true;
  const stopServing = (): void => {
    if (isServing) count.serving--;
    isServing = false;
  };
  const leave = (): void => {
    stopServing();
    if (isOpen) count.open--;
    isOpen = false;
  };
  return {
    drain() {
      stopServing();
      if (count.serving === 0) target.drain();
    },
    async close() {
      leave();
      if (count.open === 0) await target.close();
    },
    leave,
  };
}
