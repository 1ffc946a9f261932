/**
 * Whether `await` would wait for a value. zone.js replaces the global `Promise`, of which the promises of `async` functions are
 * then no instances.
 */
export function isPromise(value: unknown): value is Promise<unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof (value as { readonly then?: unknown }).then === 'function';
}

/** Whether a value is a promise. What it rejects with is then reported: nothing waits for it. */
export function isLeftAlone(value: unknown, report: (cause: unknown) => void): boolean {
  const isPromise = value instanceof Object && 'then' in value;
  if (isPromise) (value as PromiseLike<unknown>).then(undefined, report);
  return isPromise;
}
