import { PageCharacters } from './page-characters.ts';
import { type Compound, passes, type SelectorChain, type Selectors } from './selectors.ts';
import {
  attributeOf,
  nameAt,
  valueAt,
  type WrittenElement,
  type WrittenNode,
} from './written-node.ts';

const ELEMENT = 1;

/** Bits per unit of the key's text. */
const UNIT = 16;
/** Class attributes whose classes are remembered. */
const MAX_REMEMBERED = 5000;

interface ClassNames {
  readonly names: readonly string[];
  /** Those that a stylesheet asks about. */
  readonly marks: readonly number[];
}

/** A chain with what it needs to match at all. */
interface IndexedChain extends SelectorChain {
  readonly needed: readonly number[];
  /** What its last compound needs: the elements that have it are its candidates. */
  readonly candidates: number | undefined;
}

/**
 * What of some stylesheets matches one page. Pages with the same {@link key} have the same rules, so their
 * critical CSS is computed once.
 */
export class SelectorMatches {
  readonly #indexes = new Map<string, number>();
  readonly #chains: readonly IndexedChain[];
  readonly #units: Uint16Array;
  /** What the element of {@link noteContainer} has. */
  readonly #ofContainer = new Set<number>();
  readonly #isListed: boolean[] = [];
  readonly #listed: WrittenElement[][] = [];
  /** The lists that have elements: a page fills few of them. */
  readonly #filled: WrittenElement[][] = [];
  /** Whether a font asks about the characters of the page. */
  readonly hasCharacters: boolean;
  readonly #characters: PageCharacters | undefined;
  readonly #hasIds: boolean;
  readonly #hasAttributes: boolean;
  #all: WrittenElement[] | undefined;
  #classNames = new Map<string, ClassNames>();
  readonly #tagMarks = new Map<string, number>();

  constructor({ tags, classes, ids, attributes, chains, characters = [] }: Selectors) {
    for (const name of tags) this.#add('t', name);
    for (const name of classes) this.#add('c', name);
    for (const name of ids) this.#add('i', name);
    for (const name of attributes) this.#add('a', name);
    this.#chains = chains.map((chain) => this.#index(chain));
    const kinds = [...this.#indexes.keys()].map((key) => key[0]);
    this.#hasIds = kinds.includes('i');
    this.#hasAttributes = kinds.includes('a');
    this.hasCharacters = characters.length > 0;
    this.#characters = this.hasCharacters ? new PageCharacters(characters) : undefined;
    const bits = this.#indexes.size + chains.length + characters.length;
    this.#units = new Uint16Array(Math.max(1, Math.ceil(bits / UNIT)));
  }

  #add(kind: string, name: string): number {
    const key = kind + name;
    let index = this.#indexes.get(key);
    if (index === undefined) this.#indexes.set(key, (index = this.#indexes.size));
    return index;
  }

  #index(chain: SelectorChain): IndexedChain {
    const needs = chain.compounds.map(({ tag, classes = [], ids = [], attributes = [] }) => [
      ...ids.map((name) => this.#add('i', name)),
      ...classes.map((name) => this.#add('c', name)),
      ...attributes.map(({ name }) => this.#add('a', name)),
      ...(tag === undefined ? [] : [this.#add('t', tag)]),
    ]);
    const candidates = needs.at(-1)?.[0];
    if (candidates === undefined) this.#all ??= [];
    else {
      this.#isListed[candidates] = true;
      this.#listed[candidates] = [];
    }
    return { ...chain, needed: needs.flat(), candidates };
  }

  /** Forgets a page. */
  clear(): void {
    this.#units.fill(0);
    this.#ofContainer.clear();
    this.#characters?.clear();
    for (const elements of this.#filled) elements.length = 0;
    this.#filled.length = 0;
    if (this.#all !== undefined) this.#all.length = 0;
  }

  /** Notes a text of the page, as its document has it. */
  noteText(text: string): void {
    this.#characters?.note(text);
  }

  /** Notes a text that the page has as it is, such as that of a script. */
  noteRaw(text: string): void {
    this.#characters?.noteRaw(text);
  }

  /** Whether a stylesheet asks about a class or the id of an element. */
  asksAboutNames(node: object): boolean {
    const element = node as WrittenElement;
    const { marks } = this.#classesOf(attributeOf(element, 'class') ?? '');
    const id = attributeOf(element, 'id');
    return marks.length > 0 || (id !== undefined && this.#indexes.has('i' + idOf(id)));
  }

  /** Notes an element of the page, which is one of this DOM. */
  note(node: object): void {
    const element = node as WrittenElement;
    this.#all?.push(element);
    this.#note(element, false);
  }

  /** Notes an element in which Beasties searches for the others: of its own, it finds the classes and the id alone. */
  noteContainer(node: object): void {
    this.#note(node as WrittenElement, true);
  }

  #note(element: WrittenElement, isContainer: boolean): void {
    const { localName } = element;
    let tag = this.#tagMarks.get(localName);
    if (tag === undefined) {
      tag = this.#indexes.get('t' + localName.toLowerCase()) ?? -1;
      if (this.#tagMarks.size < MAX_REMEMBERED) this.#tagMarks.set(localName, tag);
    }
    if (tag >= 0) this.#mark(tag, element, isContainer, false);
    const { _attrs: attrs } = element;
    if (attrs === null) return;
    for (let i = 0; i < attrs.length; i += 2) {
      const name = nameAt(attrs, i);
      if (name === 'class') {
        const { marks } = this.#classesOf(valueAt(attrs, i + 1));
        for (const mark of marks) this.#mark(mark, element, isContainer, true);
      } else if (this.#hasIds && name === 'id') {
        this.#markIf('i' + idOf(valueAt(attrs, i + 1)), element, isContainer, true);
      }
      if (this.#hasAttributes) {
        this.#markIf('a' + name.toLowerCase(), element, isContainer, false);
      }
    }
  }

  #markIf(key: string, element: WrittenElement, isContainer: boolean, isName: boolean): void {
    const index = this.#indexes.get(key);
    if (index !== undefined) this.#mark(index, element, isContainer, isName);
  }

  #setBit(index: number): void {
    this.#units[index >> 4]! |= 1 << (index & 15);
  }

  /** @param isName - Whether it is a class or an id. */
  #mark(index: number, element: WrittenElement, isContainer: boolean, isName: boolean): void {
    if (isContainer) this.#ofContainer.add(index);
    if (!isContainer || isName) this.#setBit(index);
    if (!isContainer && this.#isListed[index] === true) this.#list(this.#listed[index]!, element);
  }

  #list(elements: WrittenElement[], element: WrittenElement): void {
    if (elements.length === 0) this.#filled.push(elements);
    elements.push(element);
  }

  #has(index: number): boolean {
    return (this.#units[index >> 4]! & (1 << (index & 15))) !== 0;
  }

  #classesOf(value: string): ClassNames {
    let known = this.#classNames.get(value);
    if (known === undefined) {
      // Beasties finds a class without a name between two spaces.
      const names = toPageText(value).trim().split(/\s/);
      const marks = new Set<number>();
      for (const name of names) {
        const index = this.#indexes.get('c' + name);
        if (index !== undefined) marks.add(index);
      }
      known = { names, marks: [...marks] };
      if (this.#classNames.size >= MAX_REMEMBERED) this.#classNames = new Map();
      this.#classNames.set(value, known);
    }
    return known;
  }

  /** What matches the noted elements, as text; call it once per page, at its end. */
  key(): string {
    let index = this.#indexes.size;
    for (const chain of this.#chains) {
      if (this.#matches(chain)) this.#setBit(index);
      index++;
    }
    for (const each of this.#characters?.covered ?? []) this.#setBit(index + each);
    return String.fromCharCode(...this.#units);
  }

  #matches(chain: IndexedChain): boolean {
    for (const index of chain.needed) {
      if (!this.#has(index) && !this.#ofContainer.has(index)) return false;
    }
    const { candidates, compounds } = chain;
    const elements = candidates === undefined ? this.#all : this.#listed[candidates];
    return elements!.some((element) => this.#ends(chain, compounds.length - 1, element));
  }

  /** Whether the compounds up to `at` match so that the last of them is `element`. */
  #ends(chain: SelectorChain, at: number, element: WrittenElement): boolean {
    return this.#is(chain.compounds[at]!, element) && this.#follows(chain, at, element);
  }

  /** Whether the compounds before `at` match elements around `element`. */
  #follows(chain: SelectorChain, at: number, element: WrittenElement): boolean {
    if (at === 0) return true;
    const { combinators, compounds } = chain;
    const combinator = combinators[at - 1];
    const isOfSiblings = combinator === '+' || combinator === '~';
    const isRepeated = combinator === ' ' || combinator === '~';
    const next = isOfSiblings ? precedingElement : parentElement;
    for (let other = next(element); other !== null; other = next(other)) {
      if (this.#is(compounds[at - 1]!, other)) {
        if (this.#follows(chain, at - 1, other)) return true;
        // What is before a farther element is before this one, too.
        if (combinators[at - 2] === combinator) return false;
      }
      if (!isRepeated) return false;
    }
    return false;
  }

  #is({ tag, classes, ids, attributes }: Compound, element: WrittenElement): boolean {
    if (tag !== undefined && element.localName.toLowerCase() !== tag) return false;
    if (ids !== undefined) {
      const value = attributeOf(element, 'id');
      const id = value === undefined ? undefined : idOf(value);
      if (!ids.every((name) => name === id)) return false;
    }
    if (classes !== undefined) {
      const { names } = this.#classesOf(attributeOf(element, 'class') ?? '');
      if (!classes.every((name) => names.includes(name))) return false;
    }
    if (attributes === undefined) return true;
    return attributes.every((test) => passes(test, valueOf(element, test.name)));
  }
}

function parentElement({ parentNode }: WrittenElement): WrittenElement | null {
  return parentNode?.nodeType === ELEMENT ? (parentNode as WrittenElement) : null;
}

function precedingElement(element: WrittenElement): WrittenElement | null {
  let node: WrittenNode | null = element.previousSibling;
  while (node !== null && node.nodeType !== ELEMENT) node = node.previousSibling;
  return node as WrittenElement | null;
}

/** @param name - In lower case. */
function valueOf({ _attrs: attrs }: WrittenElement, name: string): string | undefined {
  if (attrs === null) return undefined;
  for (let i = 0; i < attrs.length; i += 2) {
    if (nameAt(attrs, i).toLowerCase() === name) return toPageText(valueAt(attrs, i + 1));
  }
  return undefined;
}

function idOf(value: string): string {
  return toPageText(value).trim();
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

/** An attribute's value as it stands in the page. */
function toPageText(value: string): string {
  if (!/[&<>"\u00a0]/.test(value)) return value;
  return value.replace(/[&<>"\u00a0]/g, (character) => REFERENCES[character]!);
}
