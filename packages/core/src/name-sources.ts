import { platform } from '#platform';

/** How many causes of causes are looked at. */
const MOST_CAUSES = 5;

/**
 * Makes the stacks of an error's causes name the files of the source, where the build has source maps for its server.
 * The error itself is made by ng-ssr, and its message says what matters. Never throws.
 */
export function nameSourcesOfCauses(error: Error): void {
  let { cause } = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    nameSourcesOf(cause);
    cause = cause.cause;
  }
}

function nameSourcesOf(error: Error): void {
  try {
    const { stack } = error;
    if (typeof stack !== 'string') return;
    const named = platform.nameSources(stack);
    if (named !== stack) error.stack = named;
  } catch {
    // A getter that throws, or an error that is frozen.
  }
}
