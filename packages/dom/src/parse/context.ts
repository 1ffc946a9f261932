import { attributeText } from '../attribute-list.ts';
import { ELEMENT, HTML } from '../node-types.ts';
import type { TreeElement, TreeParent } from '../shapes.ts';

/** Elements in which a text without markup may become something else than a text node. */
const NOT_PLAIN = new Set([
  ...['html', 'head', 'frameset', 'template', 'select'],
  ...['table', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr'],
]);

/**
 * A character that the parser may not take as it is: markup, NUL, a carriage return, a byte order mark and the
 * parser's own mark for the end.
 */
const MARKUP = /[<&\0\r\uFEFF\uFFFF]/;

/** Whether this text, as the content of this element, is one text node with the same text. */
export function isPlainText(text: string, context: TreeElement): boolean {
  return context.namespaceURI === HTML && !NOT_PLAIN.has(context.localName) && !MARKUP.test(text);
}

/** All of a context that the parser looks at, without a line feed. */
export function contextKey(context: TreeElement): string {
  const { localName, namespaceURI, ownerDocument } = context;
  const flags =
    (ownerDocument._quirks ? 'q' : '') +
    // Within noscript there are elements, or one text.
    (ownerDocument._scripting_enabled ? 's' : '') +
    // The start tag of a form within a form is ignored.
    (isInForm(context) ? 'f' : '');
  if (namespaceURI === HTML) return `${localName} ${flags}`;
  // annotation-xml of MathML may hold HTML, by this attribute.
  return JSON.stringify([
    localName,
    flags,
    namespaceURI,
    attributeText(context._attrs, 'encoding'),
  ]);
}

function isInForm(context: TreeElement): boolean {
  for (let at: TreeParent | null = context; at?.nodeType === ELEMENT; at = at.parentNode) {
    const { localName, namespaceURI } = at as TreeElement;
    if (localName === 'form' && namespaceURI === HTML) return true;
  }
  return false;
}
