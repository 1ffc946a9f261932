import { inject, PendingTasks, REQUEST } from '@angular/core';

/**
 * Holds back the end of the server's render, as a page does that waits for data: for some time, or
 * for ever (`Infinity`). A browser waits for nothing.
 */
export function holdRender(ms: number): void {
  if (!inject(REQUEST, { optional: true })) return;
  const end = inject(PendingTasks).add();
  if (ms !== Number.POSITIVE_INFINITY) setTimeout(end, ms);
}
