import { AsyncLocalStorage } from 'node:async_hooks';
import { unhandledErrors } from '@ng-ssr/core';

/** Where the server is in another process: sends the errors to it. */
export const unhandledElsewhere = new AsyncLocalStorage<(error: Error) => void>();

/** Leaves an error unhandled in the current render, as one that Angular's ErrorHandler gets. */
export function leaveUnhandled(error: Error): void {
  (unhandledErrors() ?? unhandledElsewhere.getStore())?.(error);
}
