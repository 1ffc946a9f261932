import { textOf } from './attribute-list.ts';
import { domFailure } from './failures.ts';
import {
  COMMENT,
  DOCTYPE,
  ELEMENT,
  FRAGMENT,
  HTML,
  MATHML,
  PROCESSING_INSTRUCTION,
  SVG,
  TEXT,
} from './node-types.ts';
import {
  escapeAttribute,
  escapeClosingTag,
  escapeComment,
  escapeFallbackText,
  escapeInstruction,
  escapeText,
} from './escape.ts';
import { RAW_FALLBACK, RAW_NONE, tagText } from './tag-text.ts';
import type {
  AttrList,
  AttrName,
  TreeDoctype,
  TreeElement,
  TreeFragment,
  TreeInstruction,
  TreeNode,
  TreeParent,
  TreeText,
} from './shapes.ts';

function attributes(attrs: AttrList): string {
  let html = '';
  for (let i = 0; i < attrs.length; i += 2) {
    const slot = attrs[i];
    const name = typeof slot === 'string' ? slot : (slot as AttrName).written;
    html += ` ${name}="${escapeAttribute(textOf(attrs[i + 1]))}"`;
  }
  return html;
}

/** The names of the enclosing elements whose content a browser with scripts takes as text. */
export function fallbackTags(node: TreeNode | null): string[] {
  const tags: string[] = [];
  let at: TreeNode | null = node;
  while (at !== null) {
    if (at.nodeType === ELEMENT) {
      const element = at as TreeElement;
      if (element.namespaceURI === HTML && tagText(element.tagName).raw === RAW_FALLBACK)
        tags.push(element.localName);
      at = at.parentNode;
    } else if (at.nodeType === FRAGMENT && (at as TreeFragment)._host)
      at = (at as TreeFragment)._host;
    else at = at.parentNode;
  }
  return tags;
}

/** Text in which the closing tags of enclosing elements must not end them. */
function keepInside(text: string, parent: TreeNode | null): string {
  return text.includes('</') ? fallbackTags(parent).reduce(escapeClosingTag, text) : text;
}

/** `parent` is null for `outerHTML`, which looks at no parent. */
export function serializeElement(element: TreeElement, parent: TreeNode | null): string {
  const { namespaceURI } = element;
  const isHtml = namespaceURI === HTML;
  const name =
    isHtml || namespaceURI === SVG || namespaceURI === MATHML ? element.localName : element.tagName;
  const tag = tagText(name);
  const { _attrs: attrs } = element;
  const open = attrs === null ? `${tag.open}>` : `${tag.open}${attributes(attrs)}>`;
  if (isHtml && tag.empty) return open;
  // The content of a template, and what was set dangerously, are their members' to write.
  let content =
    element._rare === null && name !== 'template'
      ? serializeChildren(element)
      : element.serialize();
  if (tag.rawUpper && content.includes('</')) {
    content = keepInside(escapeClosingTag(content, name), parent);
  }
  return open + content + tag.close;
}

/** How text in a parent is written. */
function rawOf(parent: TreeNode | null): number {
  const element = parent as TreeElement;
  const isHtml = parent !== null && parent.nodeType === ELEMENT && element.namespaceURI === HTML;
  return isHtml ? tagText(element.tagName).raw : RAW_NONE;
}

function serializeText(text: string, parent: TreeNode | null, raw: number): string {
  if (raw === RAW_NONE) return escapeText(text);
  if (raw !== RAW_FALLBACK || parent === null) return text;
  return escapeFallbackText(text, [
    (parent as TreeElement).localName,
    ...fallbackTags(parent.parentNode),
  ]);
}

/** One node as HTML, in the words of Angular's DOM. HTML standard, 13.3 "Serializing HTML fragments". */
export function serializeNode(node: TreeNode, parent: TreeNode | null): string {
  switch (node.nodeType) {
    case ELEMENT:
      return serializeElement(node as TreeElement, parent);
    case TEXT:
      return serializeText((node as TreeText)._data, parent, rawOf(parent));
    case COMMENT:
      return `<!--${keepInside(escapeComment((node as TreeText)._data), parent)}-->`;
    case PROCESSING_INSTRUCTION: {
      const { _target, _data } = node as TreeInstruction;
      return `<?${_target} ${keepInside(escapeInstruction(_data), parent)}?>`;
    }
    case DOCTYPE:
      return `<!DOCTYPE ${(node as TreeDoctype)._name}>`;
    default:
      throw domFailure('InvalidStateError');
  }
}

/** The content of an element that is no template. */
export function serializeContent(element: TreeElement): string {
  const { _rare: rare } = element;
  return rare?.innerHTML ? (rare.innerHTML as string) : serializeChildren(element);
}

export function serializeChildren(parent: TreeParent): string {
  let html = '';
  let raw = -1;
  for (let kid = parent.firstChild; kid !== null; kid = kid.nextSibling) {
    const type = kid.nodeType;
    if (type === ELEMENT) html += serializeElement(kid as TreeElement, parent);
    else if (type === TEXT) {
      if (raw < 0) raw = rawOf(parent);
      html += serializeText((kid as TreeText)._data, parent, raw);
    } else html += serializeNode(kid, parent);
  }
  return html;
}
