const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** Scripts and styles; the CLI gives media below `media/` a hash too. */
const HASHED_ENDINGS = ['.js', '.mjs', '.css', '.js.map', '.mjs.map', '.css.map'];

/**
 * The Cache-Control of a built file: immutable for a year when its name carries the hash of its
 * content (`main-5INURTSO.js`, RFC 8246), else to be revalidated each time.
 *
 * @param path - Below the browser folder, with `/` in front.
 */
export function cacheControlOf(path: string): string {
  return isHashed(path) ? IMMUTABLE : REVALIDATE;
}

function isHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = HASHED_ENDINGS.find((candidate) => name.endsWith(candidate));
  let stem: string;
  if (ending !== undefined) stem = name.slice(0, -ending.length);
  else if (path.includes('/media/')) stem = name.slice(0, name.lastIndexOf('.'));
  else return false;
  const dash = stem.length - 9;
  return dash > 0 && stem.charCodeAt(dash) === 0x2d && isHash(stem.slice(dash + 1));
}

/** Eight characters of base32, as the CLI's `outputHashing` writes them. */
function isHash(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isBase32 = (code >= 0x41 && code <= 0x5a) || (code >= 0x32 && code <= 0x37);
    if (!isBase32) return false;
  }
  return true;
}
