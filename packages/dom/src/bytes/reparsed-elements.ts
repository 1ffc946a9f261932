import type { WrittenElement, WrittenText } from './written-node.ts';

/** Foreign elements whose children are HTML. */
const WITH_HTML: ReadonlySet<string> = new Set(
  'mi mo mn ms mtext annotation-xml foreignObject desc title'.split(' '),
);

/** The name of an element's parent; empty without one. */
export function parentOf({ parentNode }: WrittenElement): string {
  return parentNode?.nodeType === 1 ? (parentNode as WrittenElement).localName : '';
}

/** Whether Beasties writes an element as one of SVG and MathML: it knows names, not namespaces. */
export function isForeignIn(parent: string, isParentForeign: boolean, localName: string): boolean {
  if (localName === 'svg' || localName === 'math') return true;
  return isParentForeign && !WITH_HTML.has(parent);
}

/** Whether an element is within a form. */
export function isInForm({ parentNode }: WrittenElement): boolean {
  for (let node = parentNode; node !== null; node = node.parentNode) {
    if ((node as WrittenElement).localName === 'form') return true;
  }
  return false;
}

/** Whether nothing is written between the element's tags: `{{ label }}` may be a text without characters. */
export function hasNoContent({ firstChild }: WrittenElement): boolean {
  for (let node = firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType !== 3 || (node as WrittenText)._data !== '') return false;
  }
  return true;
}
