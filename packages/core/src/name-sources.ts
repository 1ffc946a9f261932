import { platform } from '#platform';

/** How many causes of causes are looked at. */
const MOST_CAUSES = 5;

/**
 * Makes the stacks of an error's causes name the files of the source, where the build has source maps for its server.
 * The error itself is made by ng-ssr, and its message says what matters. Never throws.
 */
export function nameSourcesOfCauses(error: Error): void {
  try {
    let { cause } = error;
    for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
      const { stack } = cause;
      const named = typeof stack === 'string' ? platform.nameSources(stack) : '';
      if (named !== '' && named !== stack) cause.stack = named;
      cause = cause.cause;
    }
  } catch {
    // A getter or a proxy that throws, or an error that is frozen.
  }
}
