import { attrNodeAt, attrNode } from './attr.ts';
import { findAttributeNS, findSlot } from './attribute-list.ts';
import { attributeMapOf } from './attribute-map.ts';
import { removeAttributeAt } from './attributes.ts';
import { domFailure } from './failures.ts';
import { rememberIdOf } from './ids.ts';
import { unsupported } from './unsupported.ts';
import { isInDocument } from './position.ts';
import { Rare } from './rare.ts';
import type { Attr, AttrName, TreeElement } from './shapes.ts';

function attach(element: TreeElement, attr: Attr): void {
  // Angular's DOM does not find such an element by its id, and throws where the id is changed or removed.
  if (attr.slot === 'id' && isInDocument(element)) {
    throw unsupported(
      element.ownerDocument,
      'an attribute node with the id of an element of the page',
    );
  }
  const nodes = ((element._rare ??= new Rare()).attrNodes ??= new Map<string | AttrName, Attr>());
  nodes.set(attr.slot, attr);
  (element._attrs ??= []).push(attr.slot, attr.text);
  attr.element = element;
  if (attr.slot === 'id') rememberIdOf(element);
  element._rare?.attributeMap?.refresh();
}

/** Members of elements that concern attribute nodes. */
export class AttributeNodeMembers {
  get attributes(): object {
    return attributeMapOf(this as unknown as TreeElement);
  }

  /** How many attributes there are. */
  get _numattrs(): number {
    const { _attrs: attrs } = this as unknown as TreeElement;
    return attrs === null ? 0 : attrs.length / 2;
  }

  _attr(index: number): Attr {
    return attrNodeAt(this as unknown as TreeElement, index * 2);
  }

  getAttributeNode(name: string): Attr | null {
    const element = this as unknown as TreeElement;
    return attrNode(element, element._lookup(name));
  }

  getAttributeNodeNS(namespaceURI: unknown, localName: string): Attr | null {
    const element = this as unknown as TreeElement;
    const namespace =
      namespaceURI === null || namespaceURI === undefined ? null : String(namespaceURI) || null;
    const i =
      element._attrs === null ? -1 : findAttributeNS(element._attrs, namespace, String(localName));
    return i < 0 ? null : attrNodeAt(element, i);
  }

  setAttributeNode(attr: Attr & { readonly name: string }): Attr | null {
    const element = this as unknown as TreeElement;
    if (attr.element !== null && attr.element !== element) throw domFailure('InUseAttributeError');
    const old = attrNode(element, attr.name);
    if (old === attr) return attr;
    if (attr.element !== null) throw domFailure('InUseAttributeError');
    for (let at = old; at !== null; at = attrNode(element, attr.name)) this.removeAttributeNode(at);
    attach(element, attr);
    return old;
  }

  setAttributeNodeNS(attr: Attr): Attr | null {
    const element = this as unknown as TreeElement;
    if (attr.element !== null) throw domFailure('InUseAttributeError');
    const { slot } = attr;
    const old =
      typeof slot === 'string'
        ? this.getAttributeNodeNS(null, slot)
        : this.getAttributeNodeNS(slot.namespaceURI, slot.localName);
    if (old !== null) this.removeAttributeNode(old);
    attach(element, attr);
    return old;
  }

  removeAttributeNode(attr: Attr): Attr {
    const element = this as unknown as TreeElement;
    const i =
      attr.element === element && element._attrs !== null
        ? findSlot(element._attrs, attr.slot)
        : -1;
    if (i < 0) throw domFailure('NotFoundError');
    removeAttributeAt(element, i);
    return attr;
  }
}
