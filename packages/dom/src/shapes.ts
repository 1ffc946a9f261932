/** What every node has. Siblings, parents and children are plain data: reading them is a load, not a call. */
export interface TreeNode {
  ownerDocument: TreeDocument | null;
  parentNode: TreeParent | null;
  previousSibling: TreeNode | null;
  nextSibling: TreeNode | null;
  readonly nodeType: number;
  /** A copy of this node without its children, owned by `document`. */
  copyInto(document: TreeDocument): TreeNode;
}

/** Elements, documents and fragments. */
export interface TreeParent extends TreeNode {
  firstChild: TreeNode | null;
  lastChild: TreeNode | null;
  /** The live list of `childNodes`, once somebody asked for it. */
  _childList: TreeNode[] | null;
  removeChild(child: TreeNode): TreeNode;
}

/** An attribute in a namespace. Attributes without one are held by their name alone. */
export interface AttrName {
  /** The qualified name. */
  readonly name: string;
  /** The name as the serialized page has it. */
  readonly written: string;
  readonly namespaceURI: string | null;
  readonly prefix: string | null;
  readonly localName: string;
}

/** A parsed attribute value (`classList`, `style`) that makes its text when somebody reads it. */
export interface LiveValue {
  toString(): string;
}

/** Name, value, name, value ... in document order. Even slots are names, odd ones are values. */
export type AttrList = (string | AttrName | LiveValue)[];

export interface TreeElement extends TreeParent {
  ownerDocument: TreeDocument;
  localName: string;
  namespaceURI: string | null;
  prefix: string | null;
  _attrs: AttrList | null;
  _rare: RareState | null;
  readonly tagName: string;
  className: string;
  _setattr(name: string, value: string): void;
  _lookup(name: string): string;
  serialize(): string;
  readonly isHTML: boolean;
}

/** Text, comments and processing instructions. */
export interface TreeText extends TreeNode {
  _data: string;
}

export interface TreeInstruction extends TreeText {
  _target: string;
}

export interface TreeFragment extends TreeParent {
  ownerDocument: TreeDocument;
  /** The template whose content this is. */
  _host: TreeElement | null;
}

export interface TreeDoctype extends TreeNode {
  _name: string;
  publicId: string;
  systemId: string;
}

export interface TreeDocument extends TreeParent {
  readonly dom: TreeDom;
  isHTML: boolean;
  documentElement: TreeElement | null;
  doctype: TreeDoctype | null;
  /** Counts changes of structure for live collections; 0 while nothing is counted. */
  _version: number;
  /** When its own children changed, once somebody asked; 0 before. */
  modTime: number;
  /** Whether somebody asked when the tree below an element changed. */
  watched: boolean;
  /** The elements which were given an id, by id: some may have left the document or changed their id since. */
  _ids: Map<string, TreeElement | TreeElement[]> | null;
  /** Children that were replaced by a text of their parent. */
  siblingRing: Set<TreeNode> | null;
  /** The document of the render in which this one was made; a page's document is its own. */
  page: TreeDocument;
  /** Read on the page's document. */
  unsupported: string | undefined;
  readyState: string;
  _address: string;
  _contentType: string;
  _quirks: boolean | undefined;
  _limitedQuirks: boolean | undefined;
  _scripting_enabled: boolean | undefined;
  _nodeIterators: unknown[] | null;
  _templateDocCache: TreeDocument | null;
  readonly _templateDoc: TreeDocument;
  _preremoveNodeIterators(node: TreeNode): void;
}

/** What few elements have. */
export interface RareState {
  /** When the tree below changed, once somebody asked; 0 before. */
  modTime: number;
  /** The `classList` of an element without a class attribute. */
  classList: TokenList | null;
  /** Listeners: type, listener, capture, type ... */
  listening: unknown[] | null;
  /** The functions of `onclick` and its like, by type. */
  handlers: Record<string, unknown> | null;
  /** The declaration that `element.style` returns. */
  style: unknown;
  /** The content of a template. */
  content: TreeFragment | null;
  /** Markup written in place of the children. */
  innerHTML: unknown;
  /** The form of a control, as the parser found it. */
  form: TreeElement | null;
  /** Attribute nodes that were asked for, by their names' slots. */
  attrNodes: Map<string | AttrName, Attr> | null;
  /** The object that `element.attributes` returns. */
  attributeMap: { refresh(): void } | null;
}

/** The object that `element.classList` returns. */
export interface TokenList extends LiveValue {
  element: TreeElement;
  tokens: string[];
  /** The attribute's text, or null while it is to be made of the tokens. */
  text: string | null;
}

/** An attribute node, made when somebody asks for it. Its value is the element's while it has an element. */
export interface Attr {
  slot: string | AttrName;
  element: TreeElement | null;
  text: string;
  detach(text: string): void;
}

/** What the documents of one `createDom()` share: `document.dom`. */
export interface TreeDom {
  /** Angular's DOM classes by name. */
  readonly classes: Readonly<Record<string, unknown>>;
  /** An HTML document of Angular's, asked for what names and tags mean. */
  readonly reference: AngularDocument;
  readonly names: TreeNames;
  readonly fragments: TreeFragments;
  /** Our class for Angular's element class with this prototype. */
  nodeClassFor(angular: object): { readonly prototype: object };
  /** Our prototype for nodes of a type that has one class. */
  prototypeOf(nodeType: number): object;
  /** An element; its name is not checked. */
  createElement(
    document: TreeDocument,
    localName: string,
    namespaceURI: string | null,
    prefix: string | null,
  ): TreeElement;
  createText(document: TreeDocument, data: string): TreeText;
  createComment(document: TreeDocument, data: string): TreeText;
  createInstruction(document: TreeDocument, data: string, target: string): TreeInstruction;
  createFragment(document: TreeDocument): TreeFragment;
  createDoctype(
    document: TreeDocument | null,
    name: string,
    publicId?: string,
    systemId?: string,
  ): TreeDoctype;
  /** A document without any node. */
  createBlankDocument(isHTML: boolean, address: string | null, page?: TreeDocument): TreeDocument;
  createImplementation(document: TreeDocument): object;
  /** An empty `NodeList`. */
  createList(): TreeNode[];
  createTokenList(element: TreeElement): TokenList;
  createAttr(slot: string | AttrName, element: TreeElement | null): Attr;
  createAttributeMap(element: TreeElement): { refresh(): void };
  /** The content of a template element. */
  contentOf(template: TreeElement): TreeFragment;
}

/** Parses the content of elements. */
export interface TreeFragments {
  /** Appends to `target` what the text is as the content of `context`. */
  append(target: TreeParent, text: string, context: TreeElement): void;
}

/** What is asked of Angular's own documents. */
export interface AngularDocument extends NameJudge {
  createElementNS(namespaceURI: string | null, name: string): { readonly attributes: object };
}

export interface TreeNames {
  /** @throws InvalidCharacterError for what is no Name (XML 1.0, 2.3). */
  attribute(name: string): AttributeKind;
  /** The same without a check: a look-up or a removal takes any name. */
  anyAttribute(name: string): AttributeKind;
  /** @throws InvalidCharacterError, NamespaceError. DOM standard, "validate and extract". */
  qualified(namespaceURI: string | null, name: string): QualifiedName;
  /** The tag name of an HTML element: ASCII letters in upper case. */
  upper(name: string): string;
}

/** What Angular's document tells of names. */
export interface NameJudge {
  createAttribute(name: string): unknown;
  createAttributeNS(
    namespaceURI: string | null,
    name: string,
  ): { localName: string; prefix: string | null };
}

/** What setting an attribute does besides. */
export type AttributeEffect = 'none' | 'id' | 'class' | 'handler';

export interface AttributeKind {
  readonly name: string;
  readonly effect: AttributeEffect;
  /** The same for elements of HTML documents, whose attribute names are lower case. */
  readonly lower: AttributeKind;
}

export interface QualifiedName {
  readonly localName: string;
  readonly prefix: string | null;
}
