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
  const isMedia = ending === undefined && path.includes('/media/');
  if (ending === undefined && !isMedia) return false;
  const stem =
    ending === undefined ? name.slice(0, name.lastIndexOf('.')) : name.slice(0, -ending.length);
  const dash = stem.length - 9;
  if (dash <= 0 || stem.charCodeAt(dash) !== 0x2d) return false;
  const hash = stem.slice(dash + 1);
  if (isMedia) return isMadeOf(hash, isBase32);
  // Lazy chunks have eight characters of base64url. Elsewhere a capital tells a hash from a word
  // or a date that somebody has put there: `my-document.css`, `stats-20261120.js`.
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
