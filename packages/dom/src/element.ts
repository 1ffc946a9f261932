import { removeAttributeAt, setAttribute, setAttributeNS } from './attributes.ts';
import { attributeText, findAttribute, findAttributeNS, nameOf, textOf } from './attribute-list.ts';
import { HTML } from './node-types.ts';
import type { AttrList, RareState, TokenList, TreeDocument, TreeElement } from './shapes.ts';
import { Rare } from './rare.ts';
import { serializeContent, serializeElement } from './serialize.ts';
import { tokenListOf } from './token-list.ts';

function namespaceOf(value: unknown): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}

/** Members of elements which are ours for speed, or because Angular's read its own fields. */
export class ElementMembers {
  declare ownerDocument: TreeDocument;
  declare localName: string;
  declare namespaceURI: string | null;
  declare prefix: string | null;
  declare _attrs: AttrList | null;
  declare _rare: RareState | null;

  get isHTML(): boolean {
    return this.namespaceURI === HTML && this.ownerDocument.isHTML;
  }

  get tagName(): string {
    const name = this.prefix === null ? this.localName : `${this.prefix}:${this.localName}`;
    return this.isHTML ? this.ownerDocument.dom.names.upper(name) : name;
  }

  get nodeName(): string {
    return this.tagName;
  }

  getAttribute(name: string): string | null {
    const attrs = this._attrs;
    return attrs === null ? null : attributeText(attrs, this._lookup(name));
  }

  getAttributeNS(namespaceURI: unknown, localName: string): string | null {
    if (this._attrs === null) return null;
    const i = findAttributeNS(this._attrs, namespaceOf(namespaceURI), String(localName));
    return i < 0 ? null : textOf(this._attrs[i + 1]);
  }

  hasAttribute(name: string): boolean {
    const attrs = this._attrs;
    return attrs !== null && findAttribute(attrs, this._lookup(name)) >= 0;
  }

  hasAttributeNS(namespaceURI: unknown, localName: string): boolean {
    return (
      this._attrs !== null &&
      findAttributeNS(this._attrs, namespaceOf(namespaceURI), String(localName)) >= 0
    );
  }

  hasAttributes(): boolean {
    return this._attrs !== null && this._attrs.length > 0;
  }

  setAttribute(name: string, value: unknown): void {
    const kind = this.ownerDocument.dom.names.attribute(String(name));
    setAttribute(this as unknown as TreeElement, this.isHTML ? kind.lower : kind, String(value));
  }

  setAttributeNS(namespaceURI: unknown, name: string, value: unknown): void {
    const namespace = namespaceOf(namespaceURI);
    const qualifiedName = String(name);
    const { localName, prefix } = this.ownerDocument.dom.names.qualified(namespace, qualifiedName);
    setAttributeNS(this as unknown as TreeElement, namespace, prefix, localName, String(value));
  }

  toggleAttribute(name: string, force?: boolean): boolean {
    const kind = this.ownerDocument.dom.names.attribute(String(name));
    const own = this.isHTML ? kind.lower : kind;
    const has = this._attrs !== null && findAttribute(this._attrs, own.name) >= 0;
    if (!has) {
      if (force !== undefined && force !== true) return false;
      setAttribute(this as unknown as TreeElement, own, '');
      return true;
    }
    if (force !== undefined && force !== false) return true;
    this.removeAttribute(own.name);
    return false;
  }

  removeAttribute(name: string): void {
    if (this._attrs === null) return;
    const i = findAttribute(this._attrs, this._lookup(name));
    if (i >= 0) removeAttributeAt(this as unknown as TreeElement, i);
  }

  removeAttributeNS(namespaceURI: unknown, localName: string): void {
    if (this._attrs === null) return;
    const i = findAttributeNS(this._attrs, namespaceOf(namespaceURI), String(localName));
    if (i >= 0) removeAttributeAt(this as unknown as TreeElement, i);
  }

  getAttributeNames(): string[] {
    return (this._attrs ?? []).filter((_, i) => i % 2 === 0).map(nameOf);
  }

  /** The name as this element holds it: in lower case in an HTML document. */
  _lookup(name: string): string {
    const kind = this.ownerDocument.dom.names.anyAttribute(String(name));
    return this.isHTML ? kind.lower.name : kind.name;
  }

  /** For inherited reflecting properties: the value of an attribute by its name as it is held. */
  _getattr(name: string): string | null {
    return attributeText(this._attrs, name);
  }

  _setattr(name: string, value: unknown): void {
    setAttribute(
      this as unknown as TreeElement,
      this.ownerDocument.dom.names.anyAttribute(name),
      String(value),
    );
  }

  get id(): string {
    return attributeText(this._attrs, 'id') ?? '';
  }
  set id(value: unknown) {
    this._setattr('id', value);
  }

  get className(): string {
    return attributeText(this._attrs, 'class') ?? '';
  }
  set className(value: unknown) {
    this._setattr('class', value);
  }

  get classList(): TokenList {
    return tokenListOf(this as unknown as TreeElement);
  }
  set classList(value: unknown) {
    this.className = value;
  }

  /** The content as HTML: `innerHTML`. */
  serialize(): string {
    return serializeContent(this as unknown as TreeElement);
  }

  /** What `dangerouslySetInnerHTML`, inherited, keeps. */
  get _innerHTML(): unknown {
    return this._rare === null ? undefined : this._rare.innerHTML;
  }
  set _innerHTML(value: unknown) {
    (this._rare ??= new Rare()).innerHTML = value;
  }

  get outerHTML(): string {
    return serializeElement(this as unknown as TreeElement, null);
  }
}
