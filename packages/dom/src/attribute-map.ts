import { attrNodeAt } from './attr.ts';
import { Rare } from './rare.ts';
import type { Attr, TreeElement } from './shapes.ts';

/** The members of the object that `element.attributes` returns. */
export class AttributeMapMembers {
  declare element: TreeElement;
  /** The keys of attributes, by number and by name. */
  declare keys: string[];
  [name: string]: unknown;

  get length(): number {
    const { _attrs: attrs } = this.element;
    return attrs === null ? 0 : attrs.length / 2;
  }
  set length(_value: number) {
    // As Angular's: not changed.
  }

  item(index: number): Attr | null {
    const at = index >>> 0;
    return at >= this.length ? null : attrNodeAt(this.element, at * 2);
  }

  *[Symbol.iterator](): Generator<Attr | null> {
    for (let i = 0; i < this.length; i++) yield this.item(i);
  }

  /** Brings `map[0]` and `map.title` up to date. */
  refresh(): void {
    for (const key of this.keys) this[key] = undefined;
    this.keys = [];
    for (let i = 0; i < this.length; i++) {
      const attr = attrNodeAt(this.element, i * 2) as Attr & { name: string };
      this.put(String(i), attr);
      // An attribute that is called `item` must not hide the method.
      if (!(attr.name in AttributeMapMembers.prototype)) this.put(attr.name, attr);
    }
  }

  put(key: string, attr: Attr): void {
    this[key] = attr;
    this.keys.push(key);
  }
}

export function attributeMapOf(element: TreeElement): { refresh(): void } {
  const rare = (element._rare ??= new Rare());
  if (rare.attributeMap === null) {
    rare.attributeMap = element.ownerDocument.dom.createAttributeMap(element);
    rare.attributeMap.refresh();
  }
  return rare.attributeMap;
}
