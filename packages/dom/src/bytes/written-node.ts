/** What the writer reads of a node of this DOM. */
export interface WrittenNode {
  readonly nodeType: number;
  readonly parentNode: WrittenNode | null;
  readonly previousSibling: WrittenNode | null;
  readonly nextSibling: WrittenNode | null;
}

export interface WrittenParent extends WrittenNode {
  readonly firstChild: WrittenNode | null;
}

/** A text or a comment. */
export interface WrittenText extends WrittenNode {
  readonly _data: string;
}

/** An attribute's name; an object for one in a namespace. */
export type WrittenName = string | { readonly written: string };

/** What the writer reads of an element. */
export interface WrittenElement extends WrittenParent {
  readonly localName: string;
  readonly namespaceURI: string | null;
  /** Names, each before its value: a string, or the live object that has the text. */
  readonly _attrs: readonly (WrittenName | { toString(): string })[] | null;
  readonly _rare: { readonly innerHTML?: unknown; readonly content?: unknown } | null;
}

/** An attribute's name as it stands in the page. */
export function nameAt(attrs: NonNullable<WrittenElement['_attrs']>, index: number): string {
  const name = attrs[index] as WrittenName;
  return typeof name === 'string' ? name : name.written;
}

/** An attribute's value as text. */
export function valueAt(attrs: NonNullable<WrittenElement['_attrs']>, index: number): string {
  const value = attrs[index]!;
  return typeof value === 'string' ? value : value.toString();
}

/** The value of an attribute; undefined if the element does not have it. */
export function attributeOf({ _attrs: attrs }: WrittenElement, name: string): string | undefined {
  if (attrs === null) return undefined;
  for (let i = 0; i < attrs.length; i += 2) {
    if (nameAt(attrs, i) === name) return valueAt(attrs, i + 1);
  }
  return undefined;
}

/** Whether pages have the same text again: a script with a type is data, such as the state of one page. */
export function isRepeated(element: WrittenElement): boolean {
  return element.localName === 'style' || attributeOf(element, 'type') === undefined;
}

/** Whether an element has content that is no child of it. */
export function hasOwnContent({
  innerHTML,
  content,
}: NonNullable<WrittenElement['_rare']>): boolean {
  return (innerHTML ?? content ?? null) !== null;
}

/** A doctype. */
export interface NamedNode extends WrittenNode {
  readonly name: string;
}

/** What a link's attributes say if it loads a stylesheet or a font; hints for modules are left out. */
const LOADS = /stylesheet|\bpreload\b/i;

/** Whether a link with these attributes loads a stylesheet or a font. */
export function isLoading(attrs: WrittenElement['_attrs']): boolean {
  return attrs?.some((value, i) => i % 2 === 1 && LOADS.test(value.toString())) === true;
}
