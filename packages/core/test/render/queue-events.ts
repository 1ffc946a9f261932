import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { QueueEvent } from '@ng-ssr/core';

/** What the scheduler publishes until the test ends, the latest last. */
export function queueEvents(): QueueEvent[] {
  const events: QueueEvent[] = [];
  const listener = (event: unknown): void => void events.push(event as QueueEvent);
  subscribe('ng-ssr:queue', listener);
  onTestFinished(() => void unsubscribe('ng-ssr:queue', listener));
  return events;
}
