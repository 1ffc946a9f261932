import { findAttribute, findSlot, nameOf, textOf } from './attribute-list.ts';
import { Rare } from './rare.ts';
import type { Attr, AttrName, TreeElement } from './shapes.ts';

/** Members of attribute nodes; `nodeName`, `specified` and the like are inherited from Angular's. */
export class AttrMembers {
  declare slot: string | AttrName;
  declare element: TreeElement | null;
  declare text: string;

  get name(): string {
    return nameOf(this.slot);
  }
  get localName(): string {
    return typeof this.slot === 'string' ? this.slot : this.slot.localName;
  }
  get prefix(): string | null {
    return typeof this.slot === 'string' ? null : this.slot.prefix;
  }
  get namespaceURI(): string | null {
    return typeof this.slot === 'string' ? null : this.slot.namespaceURI;
  }
  get ownerElement(): TreeElement | null {
    return this.element;
  }

  get value(): string {
    const attrs = this.element?._attrs;
    return attrs ? textOf(attrs[findSlot(attrs, this.slot) + 1]) : this.text;
  }
  set value(value: unknown) {
    const text = value === undefined ? '' : String(value);
    const { element, slot } = this;
    if (element === null) this.text = text;
    else if (typeof slot === 'string') element._setattr(slot, text);
    else if (element._attrs !== null) element._attrs[findSlot(element._attrs, slot) + 1] = text;
  }

  get data(): string {
    return this.value;
  }
  set data(value: unknown) {
    this.value = value;
  }

  /** An attribute that belongs to no element. */
  cloneNode(): Attr {
    const copy = Object.create(Object.getPrototypeOf(this) as object) as Attr;
    return Object.assign(copy, { slot: this.slot, element: null, text: this.value });
  }

  detach(text: string): void {
    this.element = null;
    this.text = text;
  }
}

/** The node of the attribute at an index of the element's list. */
export function attrNodeAt(element: TreeElement, i: number): Attr {
  const slot = element._attrs?.[i] as string | AttrName;
  const nodes = ((element._rare ??= new Rare()).attrNodes ??= new Map<string | AttrName, Attr>());
  let node = nodes.get(slot);
  if (node === undefined) {
    node = element.ownerDocument.dom.createAttr(slot, element);
    nodes.set(slot, node);
  }
  return node;
}

export function attrNode(element: TreeElement, name: string): Attr | null {
  const i = element._attrs === null ? -1 : findAttribute(element._attrs, name);
  return i < 0 ? null : attrNodeAt(element, i);
}
