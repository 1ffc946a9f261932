import { AsyncLocalStorage } from 'node:async_hooks';
import { unhandledErrors } from '@ng-ssr/core';

/** Where the server is in another process: what takes the errors to it. */
export const unhandledElsewhere = new AsyncLocalStorage<(error: Error) => void>();

/** Leaves an error in the page that is being rendered, as Angular's ErrorHandler would be given one. */
export function leaveUnhandled(error: Error): void {
  (unhandledErrors() ?? unhandledElsewhere.getStore())?.(error);
}
