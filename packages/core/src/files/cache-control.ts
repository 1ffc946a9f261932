const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Equivalent to `no-cache`, which would keep Angular from putting the response into its transfer cache. */
const REVALIDATE = 'public, max-age=0, must-revalidate';
const REVALIDATE_DOCUMENT = 'no-cache';

/** Scripts and styles; the CLI hashes the names of media below `media/` too. */
const HASHED_ENDINGS = ['.js', '.mjs', '.css', '.js.map', '.mjs.map', '.css.map'];

/**
 * The Cache-Control of a built file: immutable for a year if its name contains the hash of its content
 * (`main-5INURTSO.js`, RFC 8246), else revalidated each time. Documents, which no application fetches,
 * have `no-cache`. Other files may be fetched by an application while it renders, and HttpClient puts no
 * response with `no-cache` into its transfer cache.
 *
 * @param path - Below the browser folder, with `/` in front.
 * @see https://angular.dev/guide/ssr#caching-data-when-using-httpclient
 */
export function cacheControlOf(path: string): string {
  if (isHashed(path)) return IMMUTABLE;
  return path.endsWith('.html') ? REVALIDATE_DOCUMENT : REVALIDATE;
}

function isHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = HASHED_ENDINGS.find((candidate) => name.endsWith(candidate));
  const isMedia = ending === undefined && path.includes('/media/');
  if (ending === undefined && !isMedia) return false;
  const stem =
    ending === undefined ? name.slice(0, name.lastIndexOf('.')) : name.slice(0, -ending.length);
  const dash = stem.length - 9;
  if (dash <= 0 || stem.charCodeAt(dash) !== 0x2d) return false;
  const hash = stem.slice(dash + 1);
  if (isMedia) return isMadeOf(hash, isBase32);
  // Lazy chunks have eight characters of base64url. In other names a capital distinguishes a hash from
  // a word or a date: `my-document.css`, `stats-20261120.js`.
  return isMadeOf(hash, isBase64Url) && (name.startsWith('chunk-') || hash !== hash.toLowerCase());
}

function isMadeOf(text: string, isIn: (code: number) => boolean): boolean {
  for (let i = 0; i < text.length; i++) if (!isIn(text.charCodeAt(i))) return false;
  return true;
}

function isBase32(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x32 && code <= 0x37);
}

function isBase64Url(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f
  );
}
