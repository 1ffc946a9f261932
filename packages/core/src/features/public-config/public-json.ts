import { SsrError } from '../../errors.ts';

/** The most that the public configuration may take in a page. Every page carries it. */
export const MOST_CONFIG_BYTES: number = 64 * 1024;
/** Deeper values are taken for a mistake. JSON.parse of browsers has no limit to speak of. */
const MOST_DEPTH = 32;

/** A public configuration as text, and what in it looks as if it were not public. */
export interface PublicJson {
  /** JSON in ASCII that means the same in HTML: it has no `<`, `>`, `&` and `'`. */
  readonly json: string;
  /** The paths of members that look like secrets, such as `withPublicConfig.db.password`. */
  readonly suspects: readonly string[];
}

/**
 * Writes a public configuration as JSON. What JSON would leave out or change is refused, because a browser would
 * have another configuration than the one that was written.
 *
 * @param name - What messages call the value.
 * @param skipsUndefined - Whether members that are undefined are left out.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, naming the path of the value.
 */
export function toPublicJson(name: string, value: unknown, skipsUndefined: boolean): PublicJson {
  const writer = new PublicJsonWriter(name, skipsUndefined);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) throw refused(name, Array.isArray(value) ? 'a list' : kindOf(value), 'an object');
  writer.write(value, name);
  return { json: writer.json, suspects: writer.suspects };
}

class PublicJsonWriter {
  json = '';
  readonly suspects: string[] = [];
  readonly #name: string;
  readonly #skipsUndefined: boolean;
  /** The objects that contain the value which is being written. */
  readonly #around = new Set<object>();

  constructor(name: string, skipsUndefined: boolean) {
    this.#name = name;
    this.#skipsUndefined = skipsUndefined;
  }

  write(value: unknown, path: string): void {
    if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
      this.#add(JSON.stringify(value));
    } else if (typeof value === 'string') {
      if (PRIVATE_KEY.test(value)) throw refused(path, 'a private key', 'public values');
      if (URL_WITH_PASSWORD.test(value)) this.suspects.push(path);
      this.#add(toAscii(value));
    } else if (typeof value === 'object') {
      this.#nest(value!, path);
    } else {
      throw refused(path, kindOf(value), ALLOWED);
    }
  }

  #nest(value: object, path: string): void {
    if (value === process.env) {
      throw refused(path, 'process.env', 'single variables of it: every browser gets them all');
    }
    if (this.#around.has(value)) throw refused(path, 'an object that contains itself', ALLOWED);
    if (this.#around.size === MOST_DEPTH) {
      throw refused(path, 'an object too deep', `up to ${MOST_DEPTH} levels`);
    }
    this.#around.add(value);
    if (Array.isArray(value)) this.#writeList(value, path);
    else if (isPlainObject(value)) this.#writeMembers(value, path);
    else throw refused(path, kindOf(value), ALLOWED);
    this.#around.delete(value);
  }

  #writeList(list: readonly unknown[], path: string): void {
    this.#add('[');
    for (let i = 0; i < list.length; i++) {
      if (i > 0) this.#add(',');
      this.write(list[i], `${path}[${i}]`);
    }
    this.#add(']');
  }

  #writeMembers(value: object, path: string): void {
    const [symbol] = Object.getOwnPropertySymbols(value);
    if (symbol !== undefined) throw refused(path, `an object with ${String(symbol)}`, ALLOWED);
    let separator = '{';
    for (const [name, member] of Object.entries(value)) {
      const below = PLAIN_NAME.test(name) ? `${path}.${name}` : `${path}[${toAscii(name)}]`;
      // Code that copies it with an assignment would change a prototype.
      if (name === '__proto__') throw refused(below, 'a member of this name', 'other names');
      if (member === undefined && this.#skipsUndefined) continue;
      if (SECRET_NAME.test(name) && typeof member === 'string' && member !== '') {
        this.suspects.push(below);
      }
      this.#add(`${separator}${toAscii(name)}:`);
      this.write(member, below);
      separator = ',';
    }
    this.#add(separator === '{' ? '{}' : '}');
  }

  /** Counts at once: an object may contain another one many times. */
  #add(text: string): void {
    this.json += text;
    if (this.json.length > MOST_CONFIG_BYTES) {
      const allowed = `up to ${MOST_CONFIG_BYTES} bytes: every page carries it`;
      throw refused(this.#name, 'longer as JSON', allowed);
    }
  }
}

const ALLOWED = 'strings, finite numbers, booleans, null, lists and plain objects of them';
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const URL_WITH_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^/?#@:]*:[^/?#@]+@/i;
const SECRET_NAME = /(?:secret|password|passwd|(?:private|secret|access)_?key)$/i;
/** Of HTML, and all that is not ASCII: the text then means the same in each encoding and kind of element. */
const ESCAPED = /[<>&'\u007f-\uffff]/g;

function toAscii(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Also of another realm, which has another Object.prototype. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null &&
      Object.hasOwn(prototype as object, 'isPrototypeOf'))
  );
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'number' || value === null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = (value.constructor as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' && name !== '' ? `an object of ${name}` : 'an object of a class';
}

function refused(path: string, kind: string, allowed: string): SsrError {
  const hint = kind === 'undefined' ? '. Is an environment variable missing? null means none' : '';
  return new SsrError('NG_SSR_OPTION_INVALID', `${path} is ${kind}; allowed: ${allowed}${hint}`);
}
