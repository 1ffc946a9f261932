import { createHmac } from 'node:crypto';
import { platform } from '#platform';

/** How long a sign-in lasts. */
export const SESSION_SECONDS: number = 8 * 60 * 60;

const COOKIE = 'ng-ssr-inspector';
/** Sibling paths can plant cookies of this name; more are not tried. */
const MOST_COOKIES = 8;

/**
 * Sessions of people who have signed in: a cookie with its time of expiry, and a code made of that time with the token
 * as key. So all processes that have the token accept it, none stores it, and the token is not in it.
 */
export class Sessions {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  /** The value of Set-Cookie for a new session (RFC 6265 section 4.1). */
  start(path: string, isEncrypted: boolean): string {
    const endsAtMs = Date.now() + SESSION_SECONDS * 1000;
    const value = `${endsAtMs}.${this.#codeOf(endsAtMs)}`;
    return toCookie(value, path, SESSION_SECONDS, isEncrypted);
  }

  /** The value of Set-Cookie that removes the session from the browser. */
  end(path: string, isEncrypted: boolean): string {
    return toCookie('', path, 0, isEncrypted);
  }

  /** @param header - The value of Cookie. */
  async isIn(header: string | undefined): Promise<boolean> {
    for (const value of valuesIn(header ?? '')) {
      if (await this.#isValid(value)) return true;
    }
    return false;
  }

  async #isValid(value: string): Promise<boolean> {
    const [, time, code] = /^(\d{1,15})\.([\w-]{43})$/.exec(value) ?? [];
    if (time === undefined || code === undefined) return false;
    const leftMs = Number(time) - Date.now();
    if (leftMs <= 0 || leftMs > SESSION_SECONDS * 1000) return false;
    return platform.isSameSecret(code, this.#codeOf(Number(time)));
  }

  #codeOf(endsAtMs: number): string {
    const text = `A session of the ng-ssr inspector until ${endsAtMs}`;
    return createHmac('sha256', this.#token).update(text).digest('base64url');
  }
}

function valuesIn(header: string): readonly string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .slice(0, MOST_COOKIES)
    .map((pair) => pair.slice(COOKIE.length + 1));
}

function toCookie(value: string, path: string, seconds: number, isEncrypted: boolean): string {
  const secure = isEncrypted ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=${toCookiePath(path)}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** A semicolon would end the value (RFC 6265 section 4.1.1), and what follows be attributes: the path ends above it. */
function toCookiePath(path: string): string {
  const end = path.indexOf(';');
  if (end === -1) return path;
  return path.slice(0, path.lastIndexOf('/', end)) || '/';
}
