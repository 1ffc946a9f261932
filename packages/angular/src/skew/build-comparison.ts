/** How the page's build compares with the server's. */
export type Comparison =
  | 'same'
  | 'other'
  /** The server does not answer, or one of the two has no main script with a hash in its name. */
  | 'unknown';

/** A server that says nothing for so long is out of reach. */
const PATIENCE_MS = 5_000;

const HASHED_MAIN = /^main-[\w-]{8}\.m?js$/;

/** The name of the script that has started a document's application, which contains the hash of all its scripts. */
export function mainScriptOf(document: Document): string | undefined {
  return [...document.querySelectorAll('script[src]')]
    .map((script) => nameOf(script.getAttribute('src') ?? ''))
    .find((name) => HASHED_MAIN.test(name));
}

/**
 * Asks the server which build it has.
 *
 * @param main - The document's own main script.
 */
export async function compareBuilds(
  document: Document,
  main: string | undefined,
): Promise<Comparison> {
  if (main === undefined || document.defaultView?.navigator.onLine === false) return 'unknown';
  try {
    const url = new URL('_ng-ssr/version', document.baseURI);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { cache: 'no-store', signal });
    const version: unknown = response.ok ? await response.json() : undefined;
    const names = (version as { readonly main?: unknown } | null | undefined)?.main;
    if (!Array.isArray(names) || names.length === 0) return 'unknown';
    return names.includes(main) ? 'same' : 'other';
  } catch {
    return 'unknown';
  }
}

function nameOf(src: string): string {
  const path = src.split(/[?#]/, 1)[0]!;
  return path.slice(path.lastIndexOf('/') + 1);
}
