import type { AttrList } from '../shapes.ts';
import { indexOfName, isPlainName, parseStyle, writeStyle } from './parse-style.ts';
import type { Declarations } from './parse-style.ts';

/** What a declaration needs of its element. */
export interface StyledElement {
  /** Attributes as `[name, value, ...]`; the value of `style` may be the declaration. */
  _attrs: AttrList | null;
  readonly _rare: { readonly attributeMap: { refresh(): void } | null } | null;
  readonly ownerDocument: unknown;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
}

/** Angular's own declaration, which works on any element by its `style` attribute. */
type AngularDeclaration = Record<string, unknown> & {
  length: number;
  item(index: number): string | undefined;
  getPropertyValue(name: string): string;
  getPropertyPriority(name: string): string;
  setProperty(name: string, value: unknown, priority?: unknown): void;
  setPropertyValue(name: string, value: unknown): void;
  setPropertyPriority(name: string, priority: unknown): void;
  removeProperty(name: string): void;
};

interface DocumentOfClasses {
  readonly dom: { readonly classes: Readonly<Record<string, unknown>> };
}

/**
 * The inline style of an element (CSSOM, CSSStyleDeclaration). It keeps the declarations as a list and stands in the
 * place of the attribute's text, which is written when somebody reads it. It answers and serializes as Angular's own
 * declaration; what its list cannot hold for sure, such as names with other characters than `a-z`, `0-9` and `-`, goes
 * through Angular's declaration from then on.
 */
class StyleDeclarationBase {
  readonly #element: StyledElement;
  /** The declarations of `#text`, or of this object's own changes while `#text` is undefined. */
  #list: Declarations = [];
  /** The text that `#list` was read from or that was written from it; null: no attribute; undefined: not written. */
  #text: string | null | undefined = null;
  /** The names for `item`: as in Angular's declaration they stay until the declarations are read or changed. */
  #names: string[] | undefined;
  #angular: AngularDeclaration | undefined;

  constructor(element: StyledElement) {
    this.#element = element;
  }

  /** The attribute's text; `null` without the attribute. */
  get cssText(): string | null {
    return this.#element.getAttribute('style');
  }

  set cssText(value: string) {
    this.#element.setAttribute('style', value);
  }

  get length(): number {
    const names = this.#itemNames();
    return names === undefined ? this.#viaAngular().length : names.length;
  }

  /** The name at `index`. As in Angular's declaration it is so only after `length` was read. */
  item(index: number): string | undefined {
    const names = this.#angular === undefined ? this.#names : undefined;
    return names === undefined ? this.#viaAngular().item(index) : names[index];
  }

  getPropertyValue(property: string): string {
    const name = plainName(property);
    const list = name === undefined ? undefined : this.#read();
    if (name === undefined || list === undefined)
      return this.#viaAngular().getPropertyValue(property);
    const at = indexOfName(list, name);
    return at < 0 ? '' : (list[at + 1] ?? '');
  }

  getPropertyPriority(property: string): string {
    const name = plainName(property);
    const list = name === undefined ? undefined : this.#read();
    if (name === undefined || list === undefined)
      return this.#viaAngular().getPropertyPriority(property);
    const at = indexOfName(list, name);
    return at < 0 ? '' : (list[at + 2] ?? '');
  }

  setProperty(property: string, value?: unknown, priority?: unknown): void {
    const name = plainName(property);
    const text = value === null || value === undefined ? '' : String(value).trim();
    if (text === '') {
      this.removeProperty(property);
      return;
    }
    const rank = priority ?? '';
    if (rank !== '' && !/^important$/i.test(String(rank))) return;
    const list = name === undefined ? undefined : this.#read();
    if (name === undefined || list === undefined) {
      this.#viaAngular().setProperty(property, value, priority);
      return;
    }
    if (needsParse(text)) {
      this.#setParsed(name, text, rank === '' ? '' : 'important', list);
      return;
    }
    if (text.endsWith('!important')) return;
    put(list, name, text, rank === '' ? '' : 'important');
    this.#changed();
  }

  removeProperty(property: string): void {
    const name = plainName(property);
    const list = name === undefined ? undefined : this.#read();
    if (name === undefined || list === undefined) {
      this.#viaAngular().removeProperty(property);
      return;
    }
    const at = indexOfName(list, name);
    if (at < 0) return;
    list.splice(at, 3);
    this.#changed();
  }

  setPropertyValue(property: string, value: unknown): void {
    this.#viaAngular().setPropertyValue(property, value);
  }

  setPropertyPriority(property: string, priority: unknown): void {
    this.#viaAngular().setPropertyPriority(property, priority);
  }

  /** The text of the attribute. */
  toString(): string {
    return (this.#text ??= writeStyle(this.#list));
  }

  #itemNames(): string[] | undefined {
    if (this.#angular !== undefined) return undefined;
    if (this.#names !== undefined) return this.#names;
    this.#names = this.#read()?.filter((_, i) => i % 3 === 0);
    return this.#names;
  }

  /** The declarations of the attribute as it is now; undefined where Angular's declaration is to answer. */
  #read(): Declarations | undefined {
    if (this.#angular !== undefined) return undefined;
    const value = styleOf(this.#element);
    if (value === this) return this.#list;
    const text = typeof value === 'string' ? value : null;
    if (text === this.#text) return this.#list;
    if (this.#text === undefined && text === this.toString()) return this.#list;
    const list = text === null ? [] : parseStyle(text);
    if (list === undefined) return undefined;
    this.#list = list;
    this.#text = text;
    this.#names = undefined;
    return list;
  }

  #setParsed(name: string, text: string, priority: string, list: Declarations): void {
    if (text.includes(';') && !text.includes('data:')) return;
    const parsed = parseStyle(name + ':' + text);
    if (parsed === undefined) {
      this.#viaAngular().setProperty(name, text, priority);
      return;
    }
    for (let i = 2; i < parsed.length; i += 3) if (parsed[i] !== '') return;
    for (let i = 0; i < parsed.length; i += 3)
      put(list, parsed[i] ?? '', parsed[i + 1] ?? '', priority);
    this.#changed();
  }

  #changed(): void {
    this.#text = undefined;
    this.#names = undefined;
    const element = this.#element;
    const { _attrs: attrs } = element;
    if (attrs === null) {
      element._attrs = ['style', this];
      element._rare?.attributeMap?.refresh();
      return;
    }
    for (let i = 0; i < attrs.length; i += 2) {
      if (attrs[i] !== 'style') continue;
      attrs[i + 1] = this;
      return;
    }
    attrs.push('style', this);
    element._rare?.attributeMap?.refresh();
  }

  /** Angular's declaration for the element: once needed it stays, since it remembers more than the text tells. */
  #viaAngular(): AngularDeclaration {
    if (this.#angular === undefined) {
      const { classes } = (this.#element.ownerDocument as DocumentOfClasses).dom;
      const create = classes['CSSStyleDeclaration'] as (
        element: StyledElement,
      ) => AngularDeclaration;
      const known = this.#read() !== undefined && this.#names !== undefined;
      if (styleOf(this.#element) === this) this.#element.setAttribute('style', this.toString());
      this.#angular = create(this.#element);
      // It too keeps its names for `item` until it reads or changes its declarations.
      if (known) void this.#angular.length;
    }
    return this.#angular;
  }
}

function styleOf(element: StyledElement): unknown {
  const { _attrs: attrs } = element;
  if (attrs === null) return undefined;
  for (let i = 0; i < attrs.length; i += 2) if (attrs[i] === 'style') return attrs[i + 1];
  return undefined;
}

/** Whether a value has characters that decide where a declaration ends. */
function needsParse(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code === 34 || code === 39 || code === 40 || code === 41 || code === 59) return true;
  }
  return false;
}

function put(list: Declarations, name: string, value: string, priority: string): void {
  const at = indexOfName(list, name);
  if (at < 0) {
    list.push(name, value, priority);
    return;
  }
  list[at + 1] = value;
  list[at + 2] = priority;
}

function dasherize(property: string): string {
  return property.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Property names that were used, with the plain name of each. */
const plainNames = new Map<string, string>();
const MAX_PLAIN_NAMES = 2000;

function plainName(property: string): string | undefined {
  const known = plainNames.get(property);
  if (known !== undefined) return known;
  const name = property.toLowerCase();
  if (!isPlainName(name)) return undefined;
  if (plainNames.size < MAX_PLAIN_NAMES) plainNames.set(property, name);
  return name;
}

/** Names that get an accessor of their own; further ones go through the proxy. */
const MAX_ACCESSORS = 1000;
let accessors = 0;

/** Reads and writes `style.anyName`: the first use of a name gives it an accessor, which costs less than a proxy. */
const namedProperties: object = new Proxy(Object.create(null) as object, {
  has: () => true,
  get: (_target, property: string | symbol, style: StyleDeclarationBase) => {
    if (property in Object.prototype) return Reflect.get(Object.prototype, property) as unknown;
    if (typeof property === 'symbol') return undefined;
    const name = dasherize(property);
    addAccessor(property, name);
    return style.getPropertyValue(name);
  },
  set: (_target, property: string | symbol, value: unknown, style: StyleDeclarationBase) => {
    if (typeof property === 'symbol' || property in Object.prototype) {
      return Reflect.defineProperty(style, property, {
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    }
    const name = dasherize(property);
    addAccessor(property, name);
    style.setProperty(name, value);
    return true;
  },
});

function addAccessor(property: string, name: string): void {
  if (accessors >= MAX_ACCESSORS || !isPlainName(name)) return;
  accessors++;
  Object.defineProperty(StyleDeclarationBase.prototype, property, {
    configurable: true,
    get(this: StyleDeclarationBase): string {
      return this.getPropertyValue(name);
    },
    set(this: StyleDeclarationBase, value: unknown): void {
      this.setProperty(name, value);
    },
  });
}

Object.setPrototypeOf(StyleDeclarationBase.prototype, namedProperties);

/** An inline style with its methods and a property for each name, in camel case or with dashes. */
export type StyleDeclaration = StyleDeclarationBase & Record<string, unknown>;

/** Creates the inline style of an element. */
export function createStyleDeclaration(element: StyledElement): StyleDeclaration {
  return new StyleDeclarationBase(element) as StyleDeclaration;
}
