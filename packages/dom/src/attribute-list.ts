import type { AttrList, AttrName, LiveValue } from './shapes.ts';

/** The qualified name in a name's slot. */
export function nameOf(slot: string | AttrName | LiveValue | undefined): string {
  return typeof slot === 'string' ? slot : (slot as AttrName).name;
}

/** The text in a value's slot. */
export function textOf(slot: string | AttrName | LiveValue | undefined): string {
  return typeof slot === 'string' ? slot : (slot as LiveValue).toString();
}

/** The index of the first attribute with this qualified name, or -1. */
export function findAttribute(attrs: AttrList, name: string): number {
  for (let i = 0; i < attrs.length; i += 2) {
    const slot = attrs[i];
    if (slot === name || (typeof slot === 'object' && (slot as AttrName).name === name)) return i;
  }
  return -1;
}

/** The index of the attribute with this very name, or -1: a value may be the same text. */
export function findSlot(attrs: AttrList, slot: string | AttrName): number {
  for (let i = 0; i < attrs.length; i += 2) if (attrs[i] === slot) return i;
  return -1;
}

/** The value of the first attribute with this qualified name, or null. */
export function attributeText(attrs: AttrList | null, name: string): string | null {
  if (attrs === null) return null;
  const i = findAttribute(attrs, name);
  return i < 0 ? null : textOf(attrs[i + 1]);
}

/** The index of the attribute with this namespace and local name, or -1. */
export function findAttributeNS(
  attrs: AttrList,
  namespaceURI: string | null,
  localName: string,
): number {
  for (let i = 0; i < attrs.length; i += 2) {
    const slot = attrs[i] as string | AttrName;
    if (
      typeof slot === 'string'
        ? namespaceURI === null && slot === localName
        : slot.localName === localName && slot.namespaceURI === namespaceURI
    ) {
      return i;
    }
  }
  return -1;
}

/** A list for a copy of the element: live values belong to one element and become text. */
export function copyAttributes(attrs: AttrList): AttrList {
  const copy = attrs.slice();
  for (let i = 1; i < copy.length; i += 2)
    if (typeof copy[i] !== 'string') copy[i] = textOf(copy[i]);
  return copy;
}
