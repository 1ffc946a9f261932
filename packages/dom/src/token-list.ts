import { domFailure } from './failures.ts';
import { Rare } from './rare.ts';
import type { AttrList, TokenList, TreeElement } from './shapes.ts';

function tokensOf(text: string): string[] {
  const trimmed = text.replace(/(^[ \t\r\n\f]+)|([ \t\r\n\f]+$)/g, '');
  return trimmed === '' ? [] : [...new Set(trimmed.split(/[ \t\r\n\f]+/g))];
}

function validToken(value: unknown): string {
  const token = String(value);
  if (token === '') throw domFailure('SyntaxError');
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i);
    if (code === 32 || code === 9 || code === 10 || code === 12 || code === 13)
      throw domFailure('InvalidCharacterError');
  }
  return token;
}

/**
 * The members of an element's `classList`. While the element has the attribute, the list itself is the value in the
 * attribute's slot: a change of the tokens makes no text before somebody reads it.
 */
export class TokenListMembers {
  declare element: TreeElement;
  declare tokens: string[];
  /** The attribute's text, or null while it is to be made of the tokens. */
  declare text: string | null;

  get length(): number {
    return this.tokens.length;
  }

  item(index: number): string | null | undefined {
    return index < 0 || index >= this.tokens.length ? null : this.tokens[index];
  }

  contains(token: unknown): boolean {
    return this.tokens.includes(String(token));
  }

  add(...tokens: unknown[]): void {
    const list = this.tokens.slice();
    for (const each of tokens) {
      const token = validToken(each);
      if (!list.includes(token)) list.push(token);
    }
    this._write(list);
  }

  remove(...tokens: unknown[]): void {
    const valid = tokens.map(validToken);
    this._write(this.tokens.filter((token) => !valid.includes(token)));
  }

  toggle(value: unknown, force?: boolean): boolean {
    const token = validToken(value);
    if (this.contains(token)) {
      if (force !== undefined && force !== false) return true;
      this.remove(token);
      return false;
    }
    if (force !== undefined && force !== true) return false;
    this.add(token);
    return true;
  }

  replace(value: unknown, newValue: unknown): boolean {
    if (String(newValue) === '') throw domFailure('SyntaxError');
    const token = validToken(value);
    const newToken = validToken(newValue);
    const at = this.tokens.indexOf(token);
    if (at < 0) return false;
    // Angular's DOM removes a token that replaces itself.
    const replaced = this.tokens.flatMap((each) =>
      each !== token ? each : token === newToken ? [] : newToken,
    );
    this._write([...new Set(replaced)]);
    return true;
  }

  toString(): string {
    return (this.text ??= this.tokens.join(' ').trim());
  }

  get value(): string {
    return this.toString();
  }
  set value(text: unknown) {
    this.element.className = String(text);
  }

  _write(tokens: string[]): void {
    const { element } = this;
    if (isTrimmed(tokens)) {
      this.tokens = tokens;
      this.text = null;
    } else {
      // Angular reads the list again from a text that has changed, and that has lost such spaces.
      const text = tokens.join(' ').trim();
      this.tokens = text === this.toString() ? tokens : tokensOf(text);
      this.text = text;
    }
    const attrs = (element._attrs ??= []);
    const i = classIndex(attrs);
    if (i >= 0) attrs[i + 1] = this as unknown as TokenList;
    else {
      attrs.push('class', this as unknown as TokenList);
      element._rare?.attributeMap?.refresh();
    }
  }
}

/** Whether no token at an end of the list has a space there that HTML does not count as one, such as U+00A0. */
function isTrimmed(tokens: readonly string[]): boolean {
  const first = tokens[0];
  const last = tokens.at(-1);
  return (
    first === undefined ||
    last === undefined ||
    (isPlain(first.charCodeAt(0)) && isPlain(last.charCodeAt(last.length - 1)))
  );
}

function isPlain(code: number): boolean {
  return code < 0x80 && code !== 11;
}

/** Places of a list that can be read as `list[0]`. */
const INDEXED = 64;

for (let i = 0; i < INDEXED; i++) {
  Object.defineProperty(TokenListMembers.prototype, i, {
    configurable: true,
    get(this: TokenListMembers) {
      return this.tokens[i];
    },
  });
}

function classIndex(attrs: AttrList): number {
  for (let i = 0; i < attrs.length; i += 2) if (attrs[i] === 'class') return i;
  return -1;
}

/** The element's `classList`, the same object at each call. */
export function tokenListOf(element: TreeElement): TokenList {
  const { _attrs: attrs } = element;
  const i = attrs === null ? -1 : classIndex(attrs);
  const value = attrs?.[i + 1];
  if (i >= 0 && typeof value !== 'string') return value as TokenList;
  const kept = element._rare?.classList;
  if (kept) return kept;
  const list = element.ownerDocument.dom.createTokenList(element);
  if (attrs !== null && i >= 0) {
    reread(list, value as string);
    attrs[i + 1] = list;
  } else (element._rare ??= new Rare()).classList = list;
  return list;
}

/** Gives a list the attribute's new text. */
export function reread(list: TokenList, text: string): void {
  list.text = text;
  list.tokens = tokensOf(text);
}
