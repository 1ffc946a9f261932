/**
 * Whether `await` would wait for a value. zone.js replaces the global `Promise`, of which the promises of `async` functions are
 * then no instances.
 */
export function isPromise(value: unknown): value is Promise<unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof (value as { readonly then?: unknown }).then === 'function';
}
