/** Scripts and styles; the CLI hashes the names of media below `media/` too. */
const HASHED_ENDINGS = ['.js', '.mjs', '.css', '.js.map', '.mjs.map', '.css.map'];

/** The name of a file without the hash of its content: `/main-5INURTSO.js` is `/main-` and `.js`. */
export interface NameWithoutHash {
  /** The path up to the hash. */
  readonly before: string;
  /** What follows the hash. */
  readonly ending: string;
}

/**
 * Reads a name that contains the hash of the file's content.
 *
 * @param path - Below the browser folder, with `/` in front.
 * @returns undefined for other names.
 */
export function readHashedName(path: string): NameWithoutHash | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = HASHED_ENDINGS.find((candidate) => name.endsWith(candidate));
  if (own === undefined && !path.includes('/media/')) return undefined;
  const ending = own ?? name.slice(name.lastIndexOf('.'));
  const stem = name.slice(0, -ending.length);
  const dash = stem.length - 9;
  if (dash <= 0 || stem.charCodeAt(dash) !== 0x2d) return undefined;
  const hash = stem.slice(dash + 1);
  // Lazy chunks have eight characters of base64url. In other names a capital distinguishes a hash from
  // a word or a date: `my-document.css`, `stats-20261120.js`.
  const isHash =
    own === undefined
      ? isMadeOf(hash, isBase32)
      : isMadeOf(hash, isBase64Url) && (name.startsWith('chunk-') || hash !== hash.toLowerCase());
  if (!isHash) return undefined;
  return { before: path.slice(0, path.length - ending.length - hash.length), ending };
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
