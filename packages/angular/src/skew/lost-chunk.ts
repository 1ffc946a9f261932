/** What browsers and bundlers say of a script that could not be loaded, in lower case. */
const WORDINGS = [
  // Chromium.
  'failed to fetch dynamically imported module',
  // Firefox.
  'error loading dynamically imported module',
  // Safari.
  'importing a module script failed',
  // A page in place of the script: Safari, Firefox and Chromium.
  'is not a valid javascript mime type',
  'disallowed mime type',
  'expected a javascript module script',
  // Builds by webpack.
  'chunkloaderror',
] as const;
const WEBPACK = /^loading (css )?chunk \S+ failed/;

/** Angular's error for a `@defer` block whose scripts could not be loaded, and that has no `@error` block. */
const DEFER_FAILED = 750;

/** Errors wrap others: more than this many are a circle. */
const MOST_CAUSES = 8;

/** Members in which errors have the one that they wrap. */
const WRAPPED = ['cause', 'rejection', 'reason', 'ngOriginalError', 'originalError'] as const;

/**
 * Whether an error says that a lazy script of the application could not be loaded, itself or the one that it wraps: the
 * network is gone, or the server has another build.
 */
export function isLostChunk(error: unknown): boolean {
  for (let at = error, depth = 0; depth < MOST_CAUSES; depth++) {
    if (typeof at === 'string') return isWording(at);
    if (typeof at !== 'object' || at === null) return false;
    if (says(at as Readonly<Record<string, unknown>>)) return true;
    at = wrappedIn(at as Readonly<Record<string, unknown>>);
  }
  return false;
}

function wrappedIn(error: Readonly<Record<string, unknown>>): unknown {
  const member = WRAPPED.find((name) => error[name] !== undefined && error[name] !== null);
  return member && error[member];
}

function says({ name, message, code }: Readonly<Record<string, unknown>>): boolean {
  if (typeof code === 'number' && Math.abs(code) === DEFER_FAILED) return true;
  if (name === 'ChunkLoadError') return true;
  return typeof message === 'string' && isWording(message);
}

function isWording(message: string): boolean {
  const text = message.toLowerCase();
  return WORDINGS.some((wording) => text.includes(wording)) || WEBPACK.test(text);
}
