import { attributeText } from '../attribute-list.ts';
import type { TreeElement } from '../shapes.ts';

/** One of the conditions `#id`, `.class`, `[name]` and `[name=value]`. */
interface Condition {
  readonly kind: 'id' | 'class' | 'attribute';
  readonly name: string;
  /** The value of the attribute, or null where any will do. */
  readonly value: string | null;
}

/** A compound selector, such as `style[ng-app-id="ng"]`. */
export interface Compound {
  /** In lower case; null for any. */
  readonly tag: string | null;
  readonly conditions: readonly Condition[];
}

/** Selectors kept; an application that makes up selectors starts again. */
const MOST_SELECTORS = 1000;

const NAME = String.raw`[a-zA-Z_][\w-]*`;
const VALUE = String.raw`${NAME}|"[^"'\\<>[\]()]*"`;
const CONDITION = String.raw`#${NAME}|\.${NAME}|\[${NAME}(?:=(?:${VALUE}))?\]`;
const COMPOUND = String.raw`(?:[a-z][a-z\d-]*(?:${CONDITION})*|(?:${CONDITION})+)`;
const LIST = new RegExp(`^${COMPOUND}(?:, *${COMPOUND})*$`);
const PARTS = new RegExp(String.raw`(${CONDITION})|([a-z][a-z\d-]*)|(, *)`, 'g');
const ATTRIBUTE = new RegExp(String.raw`^\[(${NAME})(?:=(${VALUE}))?\]$`);

/** Attributes for which Angular's selector engine has rules of its own. */
const SPECIAL = new Set(['for', 'class', 'title', 'accessKey', 'hidden', 'tabIndex']);
/** Attributes that it reads as they are; of others it prefers the property of that name. */
const AS_WRITTEN = new Set(['href', 'src', 'id', 'lang', 'dir', 'style']);

const known = new Map<string, readonly Compound[] | null>();

/**
 * Reads a list of compound selectors without combinators and pseudo-classes: what Angular and Material ask for in each
 * render. Null for all other selectors, right or wrong.
 */
export function simpleSelectors(text: string): readonly Compound[] | null {
  let compounds = known.get(text);
  if (compounds === undefined) {
    compounds = LIST.test(text) ? readCompounds(text) : null;
    if (known.size >= MOST_SELECTORS) known.clear();
    known.set(text, compounds);
  }
  return compounds;
}

function readCompounds(text: string): readonly Compound[] | null {
  const compounds: Compound[] = [];
  let tag: string | null = null;
  let conditions: Condition[] = [];
  for (const [, condition, name] of text.matchAll(PARTS)) {
    if (condition !== undefined) {
      const read = readCondition(condition);
      if (read === null) return null;
      conditions.push(read);
    } else if (name !== undefined) tag = name;
    else {
      compounds.push({ tag, conditions });
      tag = null;
      conditions = [];
    }
  }
  return [...compounds, { tag, conditions }];
}

function readCondition(text: string): Condition | null {
  if (text[0] === '#') return { kind: 'id', name: text.slice(1), value: null };
  if (text[0] === '.') return { kind: 'class', name: text.slice(1), value: null };
  const [, name = '', value] = ATTRIBUTE.exec(text) ?? [];
  if (SPECIAL.has(name)) return null;
  return {
    kind: 'attribute',
    name,
    value: value === undefined ? null : value[0] === '"' ? value.slice(1, -1) : value,
  };
}

/** Whether the element fulfils all conditions of the compound; its tag is not looked at. */
export function fulfils(element: TreeElement, { conditions }: Compound): boolean {
  for (const condition of conditions) if (!holds(element, condition)) return false;
  return true;
}

function holds(element: TreeElement, { kind, name, value }: Condition): boolean {
  switch (kind) {
    case 'id':
      return attributeText(element._attrs, 'id') === name;
    case 'class':
      return hasWord(attributeText(element._attrs, 'class'), name);
    case 'attribute': {
      const found = element as unknown as WithAttributes;
      if (element._attrs === null || !found.hasAttribute(name)) return false;
      const own = AS_WRITTEN.has(name) ? null : found[name];
      const text = own ?? found.getAttribute(name);
      return value === null || String(text) === value;
    }
  }
}

interface WithAttributes {
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
  readonly [property: string]: unknown;
}

/** Whether a word is in a text, between spaces alone. */
function hasWord(text: string | null, word: string): boolean {
  if (text === null) return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if ((at === 0 || text[at - 1] === ' ') && (end === text.length || text[end] === ' ')) {
      return true;
    }
  }
  return false;
}
