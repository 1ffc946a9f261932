import { isError } from './describe-error.ts';

/** What `fetch` of Node, and that of Bun, say of a URL without an origin. */
const RELATIVE =
  /^(?:Failed to parse URL from|fetch\(\) URL is invalid:?|Invalid URL:?) ?['"]?(\/[^\s'"]*)/;

/** What to do about a relative URL, which `fetch` knows in browsers only; undefined for other errors. */
export function adviceOnRelativeUrl(thrown: unknown): string | undefined {
  if (!isError(thrown) || !(thrown instanceof TypeError)) return undefined;
  const url = RELATIVE.exec(thrown.message)?.[1];
  if (url === undefined) return undefined;
  return (
    `fetch() needs an absolute URL on a server, not ${url}: use HttpClient, or add ` +
    "withCalls({ '/api/**': { inProcess: true } }) to features"
  );
}
