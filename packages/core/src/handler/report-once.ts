import type { SsrError } from '../errors.ts';

/** Passes each error on once, even if several requests fail with it. */
export function reportOnce(onError: (error: SsrError) => void): (error: SsrError) => void {
  const reported = new WeakSet<SsrError>();
  return (error) => {
    if (!reported.has(error)) onError(error);
    reported.add(error);
  };
}
