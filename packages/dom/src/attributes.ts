import { findAttribute, findAttributeNS, nameOf, textOf } from './attribute-list.ts';
import { rememberId } from './ids.ts';
import { unsupported } from './unsupported.ts';
import { XLINK, XML, XMLNS } from './node-types.ts';
import { Rare } from './rare.ts';
import type { AttrName, AttributeKind, TokenList, TreeElement } from './shapes.ts';
import { reread } from './token-list.ts';

const READ_BY_NAME: ReadonlySet<string> = new Set(['class', 'id', 'style']);

/** `onclick` and its like: an attribute that begins with `on` gives the element a handler. */
interface WithHandlers {
  _attributeChangeHandlers: Record<
    string,
    ((element: TreeElement, name: string, old: unknown, value: unknown) => void) | undefined
  >;
}

function changeHandler(element: TreeElement, name: string, old: unknown, value: unknown): void {
  (element as unknown as WithHandlers)._attributeChangeHandlers[name]?.(element, name, old, value);
}

/** Sets an attribute by its qualified name, as this element holds it. */
export function setAttribute(element: TreeElement, kind: AttributeKind, value: string): void {
  const name = kind.name;
  let attrs = element._attrs;
  if (attrs === null) attrs = element._attrs = [name, value];
  else {
    const i = findAttribute(attrs, name);
    if (i >= 0) {
      if (typeof attrs[i] === 'string') replaceValue(element, i, kind, value);
      else attrs[i + 1] = value;
      return;
    }
    attrs.push(name, value);
  }
  if (element._rare !== null) element._rare.attributeMap?.refresh();
  if (kind.effect !== 'none') afterChange(element, kind, undefined, value);
}

function replaceValue(element: TreeElement, i: number, kind: AttributeKind, value: string): void {
  const attrs = element._attrs ?? [];
  const old = attrs[i + 1];
  if (typeof old !== 'string' && kind.effect === 'class') {
    reread(old as TokenList, value);
    return;
  }
  if (old === value) return;
  attrs[i + 1] = value;
  if (kind.effect !== 'none') afterChange(element, kind, old, value);
}

function afterChange(element: TreeElement, kind: AttributeKind, old: unknown, value: string): void {
  if (kind.effect === 'id') {
    if (value !== '') rememberId(element.ownerDocument, value, element);
  } else if (kind.effect === 'class') {
    // The list comes back into the slot.
    const list = element._rare?.classList;
    if (list && element._attrs !== null) {
      reread(list, value);
      element._attrs[findAttribute(element._attrs, 'class') + 1] = list;
    }
  } else if (kind.effect === 'handler') changeHandler(element, kind.name, old, value);
}

/** The name that Angular's DOM writes for an attribute in a namespace. */
function writtenName(name: string, namespaceURI: string, localName: string): string {
  if (namespaceURI === XML) return `xml:${localName}`;
  if (namespaceURI === XLINK) return `xlink:${localName}`;
  if (namespaceURI === XMLNS) return localName === 'xmlns' ? 'xmlns' : `xmlns:${localName}`;
  return name;
}

export function attrName(
  namespaceURI: string | null,
  prefix: string | null,
  localName: string,
): string | AttrName {
  if (namespaceURI === null && prefix === null) return localName;
  const name = prefix === null ? localName : `${prefix}:${localName}`;
  const written = namespaceURI === null ? localName : writtenName(name, namespaceURI, localName);
  return { name, written, namespaceURI, prefix, localName };
}

export function setAttributeNS(
  element: TreeElement,
  namespaceURI: string | null,
  prefix: string | null,
  localName: string,
  value: string,
): void {
  if (namespaceURI === null && prefix === null) {
    const kind = element.ownerDocument.dom.names.anyAttribute(localName);
    // A namespaced attribute may have the same qualified name and come first.
    if (
      element._attrs === null ||
      findAttributeNS(element._attrs, null, localName) >= 0 ||
      findAttribute(element._attrs, localName) < 0
    ) {
      setAttribute(element, kind, value);
      return;
    }
  }
  // Angular's `className`, `id` and `style` read it, its selectors do not.
  if (namespaceURI !== null && prefix === null && READ_BY_NAME.has(localName)) {
    throw unsupported(element.ownerDocument, `an attribute ${localName} in a namespace`);
  }
  const attrs = (element._attrs ??= []);
  const i = findAttributeNS(attrs, namespaceURI, localName);
  if (i >= 0) attrs[i + 1] = value;
  else {
    // Angular's reflected properties read a value that is not there.
    if (prefix === null && findAttribute(attrs, localName) >= 0) {
      throw unsupported(element.ownerDocument, `two attributes ${localName}`);
    }
    attrs.push(attrName(namespaceURI, prefix, localName), value);
    if (element._rare !== null) element._rare.attributeMap?.refresh();
  }
}

export function removeAttributeAt(element: TreeElement, i: number): void {
  const attrs = element._attrs ?? [];
  const slot = attrs[i] as string | AttrName;
  const value = attrs[i + 1];
  attrs.splice(i, 2);
  const { _rare: rare } = element;
  if (rare !== null) {
    rare.attrNodes?.get(slot)?.detach(textOf(value));
    rare.attrNodes?.delete(slot);
    rare.attributeMap?.refresh();
  }
  const name = nameOf(slot);
  if (typeof slot !== 'string') return;
  if (typeof value !== 'string' && name === 'class') {
    reread(value as TokenList, '');
    (element._rare ??= new Rare()).classList = value as TokenList;
  } else if (name.startsWith('on')) changeHandler(element, name, textOf(value), null);
}
